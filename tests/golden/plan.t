# what only the whole model can tell
# two columns of one table with two types
{"renorm":1,"entities":{"A":{"table":"t","columns":{"x":"text"}},"B":{"table":"t","columns":{"x":"bigint"}}}}
{}
problem column "x" of table "t" is bigint here and text elsewhere

# two entities may share a table if they agree
{"renorm":1,"entities":{"A":{"table":"t","columns":{"x":"text"}},"B":{"table":"t","columns":{"x":"text","y":"text"}}}}
{"Type":{"S":"B"},"x":{"S":"1"},"y":{"S":"2"}}
t {"x":"1","y":"2"}

# a reference to a table without that many key columns
{"renorm":1,"entities":{"A":{"keys":{"PK":"{a}"},"primary_key":"a"},"B":{"keys":{"PK":"{x}#{y}"},"primary_key":["x","y"],"references":[{"columns":["x","y"],"to":"a"}]}}}
{}
problem the key of table "a" has 1 columns, 2 are named here

# a reference by a column of another type
{"renorm":1,"entities":{"A":{"keys":{"PK":"{a:bigint}"},"primary_key":"a"},"B":{"columns":{"x":"text"},"references":[{"columns":"x","to":"a"}]}}}
{}
problem column "x" is text, but "a" of table "a" is bigint

# a reference by a column that is not there
{"renorm":1,"entities":{"A":{"keys":{"PK":"{a}"},"primary_key":"a"},"B":{"columns":{"x":"text"},"references":[{"columns":"y","to":"a"}]}}}
{}
problem no column "y" in table "b"

# an extract into a table that has no such column
{"renorm":1,"entities":{"A":{"keys":{"PK":"{a}"},"primary_key":"a"},"B":{"stages":[{"extract":{"into":"a","key":"a","columns":["a","name"]}}]}}}
{}
problem table "a" has no column "name" to extract into

# owner needs an owner
{"stages":[{"extract":{"into":"c","key":"k","columns":["k"],"rule":"owner"}}],"columns":{"a":"text"}}
{}
problem rule "owner" needs "c" to be the table of an entity

# two explodes into one table
{"keys":{"PK":"{a}"},"primary_key":"a","stages":[{"explode":{"from":"L","into":"t"}},{"explode":{"from":"M","into":"t"}}]}
{}
problem two things are exploded into, or named, table "t"

# the parent is read from inside an explode only
{"columns":{"a":{"type":"text","from":"^Name"}}}
{}
problem "^Name" reads a parent, but this is not inside an explode

# a problem of the reader does not hide those of other entities, and brings no others along
{"renorm":1,"entities":{"A":{"keys":{"PK":"{a"},"primary_key":"a"},"B":{"primary_key":"nope","references":[{"columns":"x","to":"a"}],"columns":{"x":"text"}}}}
{}
problem template "{a": a "{" without its "}" | problem the primary key of "B" names "nope", which is neither a column nor a key part

# entities of one table are merged or not, together
{"renorm":1,"entities":{"A":{"keys":{"PK":"A#{a}"},"table":"t","primary_key":"a","merge":"first"},"B":{"keys":{"PK":"B#{a}"},"table":"t","primary_key":"a"}}}
{}
problem "A" and "B" share table "t", but do not name the same "merge"

# a merge needs a key
{"merge":"first","columns":{"a":"text"}}
{}
problem "E" is merged, but has no primary key to do it by

# what is merged has no children
{"keys":{"PK":"{a}"},"primary_key":"a","merge":"last","stages":[{"explode":{"from":"L","into":"t"}}]}
{}
problem "E" is merged: it cannot explode anything or be symmetric

# an element's column that is the parent's key or the ordinal already
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","columns":{"id":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem table "l": "id" would be both of the parent and of the element

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","stages":[{"keys":{"k":"{id}#{x}"}}],"columns":{"id":"text","x":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem table "l": "id" would be both of the parent and of the element

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","columns":{"ordinal":"integer","x":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem table "l": "ordinal" would be both of the list and of the element

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","columns":{"id":{"type":"text","from":"^id"},"x":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"},"L":{"L":[{"M":{"x":{"S":"a"}}}]}}
e {"id":"1"} | l {"id":"1","ordinal":0,"x":"a"}

# a part that is called like the parent's key, and that no column takes
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","stages":[{"keys":{"k":"{id}#{x}"}}],"columns":{"x":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"},"L":{"L":[{"M":{"k":{"S":"2#a"}}}]}}
e {"id":"1"} | l {"id":"1","ordinal":0,"x":"a","extra":{"k":{"S":"2#a"}}}

# a link of elements
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","stages":[{"link":{"id":"e","to":"e"}}],"columns":{"to":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"},"L":{"L":[{"M":{"to":{"S":"2"}}}]}}
e {"id":"1"} | l {"id":"1","ordinal":0,"to":"2"}

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","stages":[{"link":{"id":"e","to":"e"}}],"columns":{"to":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"},"L":{"L":[{"M":{"x":{"S":"2"}}}]}}
rejected not-null

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","stages":[{"link":{"id":"e","to":"e"},"symmetric":true}],"columns":{"to":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem a link inside "explode" cannot be symmetric

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"{id}"},"primary_key":"id","columns":{"id":"text"},"stages":[{"explode":{"from":"L","into":"l","stages":[{"link":{"id":"e","two":"e"}}],"columns":{"to":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem no column "two" in table "l"

# a key that is called as a column of the table of conflicts
{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"table":"t","keys":{"PK":"{attribute}"},"primary_key":"attribute","merge":"first","columns":{"attribute":"text"}}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem table "t_conflict": "attribute" would be both of the key and of the conflict

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"table":"t","keys":{"PK":"{id}"},"columns":{"id":"text"},"stages":[{"extract":{"into":"x","key":"source_key","columns":{"source_key":{"type":"text","from":"id"},"n":"text"}}}]}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem table "x_conflict": "source_key" would be both of the key and of the conflict

{"renorm":1,"source":{"key":["PK"]},"entities":{"E":{"table":"t","keys":{"PK":"{lost}"},"columns":{"lost":"text","kept":"text"},"stages":[{"link":{"lost":"p","kept":"p"},"symmetric":true}]},"P":{"table":"p","primary_key":"id","columns":{"id":"text"}}}}
{"PK":{"S":"1"},"Type":{"S":"E"}}
problem table "t_conflict": "lost" would be both of the key and of the conflict
