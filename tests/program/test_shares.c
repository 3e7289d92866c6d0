/* From times of products, native and by residues, to the line of a tuning table: none is chosen that does not pay, and most of
 * those that do are. */
#include <math.h>

#include "cli/tune/tune.h"
#include "tap.h"

enum { MOST = 200 };

/* Gains of r + a (1/m + 1/n)/2 + b/k, where triangles of C take `more` than squares of the same area, off by so much one after
 * the other */
static int measured(tune_sample *s, double r, double a, double b, double more, double noise)
{
    int count = 0;
    for (double n = 1000; n < 20000; n *= 1.5)
        for (double part = 1; part <= 8; part *= 2)
            for (int triangle = 0; triangle < 2; triangle++) {
                double k = n / part, side = triangle ? n / sqrt(2) : n, seconds = r + a / side + b / k + triangle * more / n;
                s[count] = (tune_sample){1 / side, 1 / k, (1 + noise * (count % 3 - 1)) / seconds};
                count++;
            }
    return count;
}

static int chosen(const tune_sample *s, int64_t side, int64_t inner)
{
    return side > 0 && (double)side * s->side + (double)inner * s->inner <= 1;
}

static void judge(const char *what, double r, double a, double b, double more, double noise, double part)
{
    tune_sample s[MOST];
    int count = measured(s, r, a, b, more, noise), wrong = 0, pay = 0, taken = 0;
    int64_t side = -1, inner = -1;
    tune_shares(s, count, &side, &inner);
    for (int i = 0; i < count; i++) {
        wrong += chosen(&s[i], side, inner) && s[i].gain < 1.03;
        pay += s[i].gain >= 1.03;
        taken += chosen(&s[i], side, inner) && s[i].gain >= 1.03;
    }
    ok(!wrong && taken >= part * pay && (pay > 0) == (side > 0), "%s: SIDE %d, INNER %d: %d of %d that pay, %d that do not",
       what, (int)side, (int)inner, taken, pay, wrong);
}

int main(void)
{
    int64_t side, inner;
    tune_sample one = {1e-3, 1e-3, 2};
    judge("as on one GPU", 0.3, 1200, 340, 0, 0, 0.95);
    judge("measured roughly", 0.3, 1200, 340, 0, 0.02, 0.85);
    judge("triangles take longer", 0.3, 1200, 340, 500, 0.01, 0.6);
    judge("splitting alone", 0.5, 1e-9, 900, 0, 0, 0.9);
    judge("they never pay", 1.2, 1200, 340, 0, 0, 0);
    judge("they always pay", 0.1, 10, 10, 0, 0, 1);
    tune_shares(&one, 1, &side, &inner);
    ok(side > 0 && chosen(&one, side, inner), "one product that pays: SIDE %d, INNER %d", (int)side, (int)inner);
    tune_shares(&one, 0, &side, &inner);
    ok(side == 0 && inner == 0, "none was measured");
    return tap_done();
}
