/* SPDX-License-Identifier: MIT */
/* Tables as text and back: what is read writes itself the same, and other texts are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pipeline/base/buf.h"
#include "pipeline/row/schema_json.h"

static const char shop[] =
    "{\"name\":\"sh\\\"op\",\"tables\":["
    "{\"name\":\"customer\",\"kind\":0,\"comment\":\"entity "
    "Customer\",\"key\":[0],\"columns\":["
    "{\"name\":\"id\",\"type\":\"text\",\"not_null\":true,\"key\":true,\"from\":\"PK\"},"
    "{\"name\":\"extra\",\"type\":\"jsonb\",\"extra\":true}],\"references\":[]},"
    "{\"name\":\"tag\",\"kind\":1,\"parent\":0,\"key\":[0,1],\"columns\":["
    "{\"name\":\"id\",\"type\":\"text\",\"not_null\":true,\"key\":true},"
    "{\"name\":\"n\",\"type\":\"double precision\"}],"
    "\"references\":[{\"to\":0,\"columns\":[0],\"to_columns\":[0]}]}],"
    "\"extracts\":[{\"into\":0,\"rule\":2,\"conflict\":1,\"columns\":[0,1]}]}";

static void test_reads_what_it_writes(void **state)
{
    (void)state;
    struct arena a;
    struct schema s;
    struct err err;
    struct buf b;
    arena_init(&a, 256);
    buf_init(&b, 1 << 16);
    assert_int_equal(schema_json_read(str_of(shop), &a, &s, &err), RC_OK);
    assert_int_equal(s.ntables, 2);
    assert_int_equal(s.tables[0].parent, UINT32_MAX);
    assert_int_equal(s.extracts[0].rule, EXTRACT_LAST);
    schema_json_write(&b, &s);
    assert_string_equal(buf_cstr(&b), shop);
    buf_release(&b);
    arena_release(&a);
}

/* One character less, or another digit, anywhere: never a crash, nor a number beyond its table. */
static void test_refuses_what_is_spoilt(void **state)
{
    (void)state;
    size_t refused = 0;
    for (size_t i = 0; i < sizeof shop - 1; i++) {
        char text[sizeof shop];
        struct arena a;
        struct schema s;
        struct err err;
        memcpy(text, shop, sizeof text);
        text[i] = text[i] >= '0' && text[i] <= '9' ? '7' : ' ';
        arena_init(&a, 256);
        refused += schema_json_read(str_make(text, sizeof text - 1), &a, &s, &err) == RC_SINK;
        arena_release(&a);
    }
    assert_true(refused > sizeof shop / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_what_it_writes),
        cmocka_unit_test(test_refuses_what_is_spoilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
