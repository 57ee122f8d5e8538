/* SPDX-License-Identifier: MIT */
/* Reads a plan, line by line. */
#include "plan.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *array, size_t n, size_t size)
{
    /* Twice the room at each power of two. */
    void *larger = n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);

    if (!larger)
        err(1, "memory");
    return larger;
}

static void add_flow(struct plan *plan, const char *line)
{
    struct flow *flow;

    plan->flows = grow(plan->flows, plan->n_flows, sizeof(*plan->flows));
    flow = &plan->flows[plan->n_flows++];
    memset(flow, 0, sizeof(*flow));
    flow->nodelay = -1;
    if (sscanf(line, "flow %hu %u %lf %lf", &flow->port, &flow->connections, &flow->start_ms,
               &flow->stagger_ms) != 4)
        errx(1, "not a flow: %s", line);
}

static bool add_line(struct plan *plan, const char *line)
{
    struct flow *last = plan->n_flows ? &plan->flows[plan->n_flows - 1] : NULL;
    struct step step = { .n = 0 };

    if (!strncmp(line, "flow ", 5)) {
        add_flow(plan, line);
        return true;
    }
    if (last && sscanf(line, "step %15s %ld", step.verb, &step.n) >= 1) {
        last->steps = grow(last->steps, last->n_steps, sizeof(step));
        last->steps[last->n_steps++] = step;
        return true;
    }
    if (last && sscanf(line, "option nodelay %d", &last->nodelay) == 1)
        return true;
    return sscanf(line, "local %15s", plan->local) == 1 ||
           sscanf(line, "peer %15s", plan->peer) == 1 ||
           sscanf(line, "seconds %u", &plan->seconds) == 1 ||
           sscanf(line, "until_ms %u", &plan->until_ms) == 1;
}

struct plan *plan_read(const char *path)
{
    struct plan *plan = calloc(1, sizeof(*plan));
    FILE *file = fopen(path, "r");
    char line[256];

    if (!plan || !file)
        err(1, "%s", path);
    while (fgets(line, sizeof(line), file))
        if (!add_line(plan, line))
            errx(1, "not known to this stack: %s", line);
    fclose(file);
    return plan;
}
