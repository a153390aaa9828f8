/* SPDX-License-Identifier: MIT */
/* Files without a name, made by descriptors: through links of the user, not through ours. */
#include "pipeline/base/tmp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "pipeline/base/own_place.h"
#include "tests/harness/scratch.h"

static void opens(const char *folder, bool yes)
{
    FILE *f = tmp_file_open(folder);
    assert_int_equal(f != NULL, yes);
    if (!f)
        return;
    char text[8] = "";
    assert_true(fputs("text", f) >= 0);
    rewind(f);
    assert_string_equal(fgets(text, sizeof text, f), "text");
    (void)fclose(f);
}

static void make_link(struct scratch *s, const char *target, const char *name)
{
    char to[512];
    (void)snprintf(to, sizeof to, "%s", scratch_path(s, target));
    assert_int_equal(symlink(to, scratch_path(s, name)), 0);
}

static void test_no_link_of_ours_is_followed(void **state)
{
    (void)state;
    struct scratch s;
    char path[600];
    scratch_init(&s);
    assert_int_equal(mkdir(scratch_path(&s, "out"), 0700), 0);
    assert_int_equal(mkdir(scratch_path(&s, "out/.renorm"), 0700), 0);
    assert_int_equal(mkdir(scratch_path(&s, "out/.renorm/run-1"), 0700), 0);
    assert_int_equal(mkdir(scratch_path(&s, "home"), 0700), 0);
    make_link(&s, "out", "link");
    opens(scratch_path(&s, "out/.renorm/run-1"), true);
    opens(scratch_path(&s, "link/.renorm/run-1"), true);
    opens(scratch_path(&s, "link"), true);
    make_link(&s, "home", "out/.renorm/run-2");
    opens(scratch_path(&s, "out/.renorm/run-2"), false);
    make_link(&s, "out/.renorm", "home/.renorm");
    opens(scratch_path(&s, "home/.renorm/run-1"), false);
    /* the mark begins our part, too */
    (void)snprintf(path, sizeof path, "%s%slink", s.dir, OWN_PLACE_MARK);
    opens(path, false);
    (void)snprintf(path, sizeof path, "%s%s.renorm", scratch_path(&s, "link"), OWN_PLACE_MARK);
    opens(path, true);
    opens(scratch_path(&s, "nowhere"), false);
    scratch_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_link_of_ours_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
