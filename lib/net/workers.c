/* workers.c - a queue of jobs and the threads that take from it. */
#include "net/workers.h"

#include <stdbool.h>

#include "base/arena.h"

enum { WORKER_STACK = 512 * 1024 };

struct job {
    struct job *next;
    void (*fn)(void *);
    void *arg;
};

struct workers {
    char name[16];
    unsigned max;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t wake;
    struct job *first, **last;
    unsigned waiting; /* jobs */
    unsigned idle;
    unsigned count;
    bool stopping;
    pthread_t threads[];
};

struct workers *workers_new(const char *name, unsigned threads)
{
    struct workers *workers = must_alloc(sizeof *workers + threads * sizeof(pthread_t));

    snprintf(workers->name, sizeof workers->name, "%s", name);
    workers->max = threads;
    workers->last = &workers->first;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->wake, NULL);
    return workers;
}

/* Waits for a job; NULL when it is time to end. The lock is held. */
static struct job *next_job(struct workers *workers)
{
    struct job *job;

    workers->idle++;
    while (!workers->first && !workers->stopping)
        pthread_cond_wait(&workers->wake, &workers->lock);
    workers->idle--;
    if (workers->stopping)
        return NULL;
    job = workers->first;
    workers->first = job->next;
    workers->waiting--;
    if (!workers->first)
        workers->last = &workers->first;
    return job;
}

static void *work(void *arg)
{
    struct workers *workers = arg;
    struct job *job;

    pthread_setname_np(pthread_self(), workers->name);
    scoped_lock(&workers->lock);
    while ((job = next_job(workers))) {
        pthread_mutex_unlock(&workers->lock);
        job->fn(job->arg);
        free(job);
        pthread_mutex_lock(&workers->lock);
    }
    return NULL;
}

/* One more thread while jobs outnumber the idle ones. If there can be none, the others do it all;
 * if there are no others, we cannot go on. */
static void hire(struct workers *workers)
{
    pthread_attr_t attr;

    if (workers->count == workers->max || workers->waiting <= workers->idle)
        return;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, WORKER_STACK);
    if (pthread_create(&workers->threads[workers->count], &attr, work, workers) == 0)
        workers->count++;
    else if (!workers->count)
        abort();
    pthread_attr_destroy(&attr);
}

void workers_add(struct workers *workers, void (*fn)(void *arg), void *arg)
{
    struct job *job = must_alloc(sizeof *job);

    *job = (struct job) { .fn = fn, .arg = arg };
    scoped_lock(&workers->lock);
    *workers->last = job;
    workers->last = &job->next;
    workers->waiting++;
    hire(workers);
    pthread_cond_signal(&workers->wake);
}

static void stop(struct workers *workers)
{
    scoped_lock(&workers->lock);
    workers->stopping = true;
    pthread_cond_broadcast(&workers->wake);
}

void workers_free(struct workers *workers)
{
    if (!workers)
        return;
    stop(workers);
    for (unsigned i = 0; i < workers->count; i++)
        pthread_join(workers->threads[i], NULL);
    for (struct job *job = workers->first, *next; job; job = next) {
        next = job->next;
        free(job);
    }
    pthread_mutex_destroy(&workers->lock);
    pthread_cond_destroy(&workers->wake);
    free(workers);
}
