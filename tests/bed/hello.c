/* hello.c - the smallest container: says hello, and to a machine and port when given. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    puts("hello from a pod");
    if (argc == 3) {
        struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(atoi(argv[2])) };
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        inet_pton(AF_INET, argv[1], &to.sin_addr);
        if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0 || write(fd, "hello", 5) != 5)
            return 1;
        close(fd);
    }
    return 0;
}
