/* A queue of jobs with priorities, kept in a growing array. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LENGTH 16

typedef struct {
    char name[NAME_LENGTH];
    int priority;
    int seconds;
} job;

typedef struct {
    job *jobs;
    size_t count;
    size_t room;
} queue;

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(2);
}

static void queue_init(queue *q, size_t room) {
    q->jobs = malloc(room * sizeof *q->jobs);
    if (q->jobs == NULL) {
        fail("no memory");
    }
    q->count = 0;
    q->room = room;
}

static void queue_free(queue *q) {
    free(q->jobs);
    memset(q, 0, sizeof *q);
}

static void queue_grow(queue *q) {
    size_t room = q->room + q->room / 2;
    job *jobs = realloc(q->jobs, room * sizeof *jobs);
    if (jobs == NULL) {
        fail("no memory");
    }
    q->jobs = jobs;
    q->room = room;
}

static void queue_push(queue *q, const char *name, int priority, int seconds) {
    job *slot;
    size_t at = q->count;
    if (q->count > q->room) {
        queue_grow(q);
    }
    while (at > 0 && q->jobs[at - 1].priority < priority) {
        q->jobs[at] = q->jobs[at - 1];
        at--;
    }
    slot = &q->jobs[at];
    strncpy(slot->name, name, NAME_LENGTH - 1);
    slot->name[NAME_LENGTH - 1] = '\0';
    slot->priority = priority;
    slot->seconds = seconds;
    q->count++;
}

static int queue_pop(queue *q, job *out) {
    if (q->count == 0) {
        return 0;
    }
    *out = q->jobs[0];
    q->count--;
    memmove(q->jobs, q->jobs + 1, q->count * sizeof *q->jobs);
    return 1;
}

static int total_seconds(const queue *q) {
    int total = 0;
    for (size_t i = 0; i < q->count; i++) {
        total += q->jobs[i].seconds;
    }
    return total;
}

int main(void) {
    static const char *names[] = {"backup", "mail", "index", "report", "cleanup"};
    queue q;
    job next;
    int clock = 0;

    queue_init(&q, 4);
    for (int i = 0; i < 5; i++) {
        queue_push(&q, names[i], (i * 7) % 5, 10 * (i + 1));
        printf("%d jobs, %d s\n", (int)q.count, total_seconds(&q));
    }
    while (queue_pop(&q, &next)) {
        clock += next.seconds;
        printf("%4d %-8s %d\n", clock, next.name, next.priority);
    }
    queue_free(&q);
    return 0;
}
