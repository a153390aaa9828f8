/* SPDX-License-Identifier: MIT */
/* One element's text out of small XML answers, broken and hostile ones included. */
#include "pipeline/aws/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_text_of_an_element(void **state)
{
    (void)state;
    static const struct {
        const char *doc, *name, *want; /* NULL: not found */
    } t[] = {
        {"<a><b>x</b><b>y</b></a>", "b", "x"},
        {"<a><b>a &amp;&lt;&#65;&#x42;</b></a>", "b", "a &<AB"},
        {"<n:a xmlns:n=\"u\"><n:b>x</n:b></n:a>", "b", "x"},
        {"<a><b>x<c>inner</c>y</b></a>", "b", "xy"},
        {"<a><b/></a>", "b", ""},
        {"<a><b><![CDATA[<raw>]]></b></a>", "b", "<raw>"},
        {"<a><b>x</b>", "b", "x"}, /* cut after it */
        {"<a><b>x", "b", NULL},
        {"<a><bb>x</bb></a>", "b", NULL},
        {"", "b", NULL},
        {"not xml", "b", NULL},
        {"<!DOCTYPE a [<!ENTITY e \"x\">]><a><b>&e;</b></a>", "b", NULL},
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct buf out;
        buf_init(&out, 1024);
        bool found = xml_text(str_of(t[i].doc), t[i].name, &out);
        assert_int_equal(found, t[i].want != NULL);
        if (found)
            assert_string_equal(buf_cstr(&out), t[i].want);
        buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of_an_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
