/* scope.h - things that end with their block.
 *
 *     scoped(free) char *text = NULL;        freed when the block ends
 *     return take(text);                     ... unless it is handed on
 *     scoped_lock(&q->lock);                 unlocked when the block ends
 *
 * A module offers its own scope with DEFINE_SCOPE(name, closing_function); the closing function takes
 * the pointer and accepts NULL.
 */
#pragma once
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define scoped(name) __attribute__((cleanup(scope_end_##name)))

/* The value of a variable, leaving zero behind, so that its scope has nothing left to end. */
#define take(var)                                                                                  \
    ({                                                                                             \
        typeof(var) take_value = (var);                                                            \
        (var) = (typeof(var)){ 0 };                                                                \
        take_value;                                                                                \
    })

#define DEFINE_SCOPE(name, closing)                                                                \
    static inline __attribute__((unused)) void scope_end_##name(void *slot)                        \
    {                                                                                              \
        closing(*(void **)slot);                                                                   \
    }

DEFINE_SCOPE(free, free)

static inline __attribute__((unused)) void scope_end_fd(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline __attribute__((unused)) void scope_end_file(FILE *const *file)
{
    if (*file)
        fclose(*file);
}

static inline __attribute__((unused)) void scope_end_lock(pthread_mutex_t *const *lock)
{
    pthread_mutex_unlock(*lock);
}

static inline pthread_mutex_t *scope_begin_lock(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    return lock;
}

#define SCOPE_JOIN2(a, b) a##b
#define SCOPE_JOIN(a, b) SCOPE_JOIN2(a, b)
#define scoped_lock(mutex)                                                                         \
    __attribute__((cleanup(scope_end_lock), unused)) pthread_mutex_t *SCOPE_JOIN(                  \
        scope_lock_, __LINE__) = scope_begin_lock(mutex)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
