/* A page of C with one of each thing that can be declared. */
#include <stddef.h>
#include <stdio.h>

#define MOST 12

/* The larger of two. */
#define LARGER(a, b) \
    ((a) > (b) \
         ? (a) : (b))

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long count_t;

/* What is called for each box. */
typedef int (*visit_fn)(const char *name, void *data);

/**
 * A shelf with boxes.
 */
typedef struct shelf {
    const char *names[MOST];
    struct {
        int wide;
        int high;
    } size;
    count_t taken;
} shelf_t;

typedef enum { LEFT, RIGHT } side_t;

struct point { int x, y; };

union bits
{
    unsigned int whole;
    unsigned char parts[4];
};

enum color {
    RED,
    GREEN = 2,
};

struct point;

extern int verbose;
static count_t counted = 0;

/* Words, by their number. */
static const char *const words[] = {
    "one",
    "two",
};

static const struct {
    const char *name;
    int (*run)(int);
} commands[] = {
    { "one", NULL },
};

static struct box {
    int wide;
} first_box, last_box;

int shelf_take(shelf_t *shelf, const char *name);
char *shelf_name(const shelf_t *shelf,
                 size_t at);
static void (*on_error)(int code);

// A plain comment right above belongs to the function too.
int
shelf_take(shelf_t *shelf,
           const char *name)
{
    int found = 0;
    struct local { int a; } near = { 1 };

    for (size_t at = 0; at < MOST; at++)
    {
        if (shelf->names[at] == name)
        {
            found = 1;
        }
        else if (at == 3)
        {
            continue;
        }
        else
        {
            found += near.a;
        }
    }
    return found;
}

#if defined(_WIN32)
static int separator(void) { return '\\'; }
#else
static int separator(void) { return '/'; }
#endif

static inline const char *kind(int number) {
    switch (number) {
    case 0:
        return "none";
    default: {
        int left = number;
        while (left > 10) {
            left /= 10;
        }
        do {
            left++;
        } while (left < 3);
        return words[left];
    }
    }
}

__attribute__((noreturn))
void stop(int code)
{
    if (code)
        goto out;
out:
    for (;;) {
        counted++;
    }
}

int (*chosen(int number))(int) {
    return commands[number].run;
}

#ifdef __cplusplus
}
#endif
