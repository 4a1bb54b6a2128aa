/* replay.c - runs a fuzzer over every file of a directory, without a fuzzing engine. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    struct stat info;
    uint8_t *data;
    FILE *file;
    size_t got;

    if (stat(path, &info) < 0 || !S_ISREG(info.st_mode))
        return 0;
    file = fopen(path, "rb");
    data = malloc((size_t)info.st_size + 1);
    if (!file || !data)
        exit(1);
    got = fread(data, 1, (size_t)info.st_size, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, got);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
    char path[4096];
    int count = 0;

    if (!dir) {
        fprintf(stderr, "usage: %s CORPUS-DIRECTORY\n", argv[0]);
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        count += replay(path);
    }
    closedir(dir);
    printf("%d inputs\n", count);
    return count == 0; /* an empty corpus proves nothing */
}
