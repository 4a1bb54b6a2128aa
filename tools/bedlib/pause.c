/* pause.c - waits for ever: pid 1 of a node of the bed, and what holds a pod's namespaces open. */
#include <signal.h>
#include <unistd.h>

int main(void)
{
    signal(SIGCHLD, SIG_IGN); /* orphans come to pid 1; ignored, they leave no zombies */
    signal(SIGTERM, _exit);   /* pid 1 has no default actions */
    for (;;)
        pause();
}
