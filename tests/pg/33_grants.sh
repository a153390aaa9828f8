#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Default privileges give rights on whatever is made: the ledger and conflicts are granted to nobody
# all the same, and what takes an old table's or view's place has the rights that one had.
. "$(dirname "$0")/lib.sh"
new_db
q "create role analyst_$$" >/dev/null
at_exit "pg_query '$(pg_url)' 'drop role analyst_$$' >/dev/null"
at_exit "pg_query '$URL' 'drop owned by analyst_$$ cascade' >/dev/null"
q "alter default privileges grant select on tables to analyst_$$; alter default privileges grant select on tables to public;
   alter default privileges grant usage on schemas to analyst_$$" >/dev/null
# rights of others on tables, views and schemas
granted() {
    q "select o.name, coalesce(nullif(a.grantee, 0)::regrole::text, 'public') from (
         select c.oid::regclass::text as name, relacl as acl, relowner as owner from pg_class c
          where relnamespace in (select oid from pg_namespace where nspname = '$1') and relkind in ('r', 'v')
         union all select nspname, nspacl, nspowner from pg_namespace where nspname = '$1') o, aclexplode(o.acl) a
       where a.grantee <> o.owner order by 1, 2"
}
dir=$ROOT/examples/10_duplicated_data
for mode in replace append; do
    export_ok "$dir/items.jsonl" "$URL" -m "$dir/model.json" --schema $mode --mode $mode
    equal "$mode: new tables have what the defaults say" "$(granted $mode | grep -c "orders|")" 2
    equal "$mode: conflicts are granted to nobody" "$(granted $mode | grep conflict || true)" ""
done
equal "the ledger is granted to nobody" "$(granted renorm)" ""

# what was taken back stays so, what was given too
q "create view replace.v as select * from replace.orders; create view replace.w as select * from replace.v;
   revoke all on all tables in schema replace from public, analyst_$$;
   grant select, update on replace.order_item to analyst_$$; grant select on replace.w to public;
   grant select on replace.customer_conflict to analyst_$$" >/dev/null
granted replace >before.txt
export_ok "$dir/items.jsonl" "$URL" -m "$dir/model.json" --schema replace
granted replace >after.txt
diff -u before.txt after.txt || fail "rights changed with the tables"
equal "rights there are" "$(grep -c . before.txt)" 5
