# a part takes the rest, separators too
{"keys":{"PK":"u#{u}"},"columns":{"u":"text"}}
{"PK":{"S":"u#7#follower"},"Type":{"S":"E"}}
e {"u":"7#follower"}

# unless it must not
{"keys":{"PK":"u#{u:no-sep}"},"columns":{"u":"text"}}
{"PK":{"S":"u#7#follower"},"Type":{"S":"E"}}
rejected key-template

{"keys":{"PK":"u#{u:no-sep}"},"columns":{"u":"text"}}
{"PK":{"S":"u#7-follower"},"Type":{"S":"E"}}
e {"u":"7-follower"}

# then the item is the next entity's
{"renorm":1,"source":{"key":["PK"]},"entities":{"User":{"keys":{"PK":"u#{u:no-sep}"}},"Follower":{"keys":{"PK":"u#{u}#follower"}}}}
{"PK":{"S":"u#7#follower"}}
follower {"u":"7"}

# an optional part, and a separator of several characters
{"keys":{"PK":"a::{x:no-sep}::{y:no-sep?}"},"columns":["x","y"]}
{"PK":{"S":"a::1:2"},"Type":{"S":"E"}}
e {"x":"1:2"}

{"keys":{"PK":"a::{x:no-sep}::{y:no-sep?}"},"columns":["x","y"]}
{"PK":{"S":"a::1::2::3"},"Type":{"S":"E"}}
rejected key-template

# a rule of the model, which an entity or a part may lift
{"renorm":1,"no_sep":true,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"u#{u}"}}}}
{"PK":{"S":"u#7#8"},"Type":{"S":"E"}}
rejected key-template

{"renorm":1,"entities":{"E":{"no_sep":false,"keys":{"PK":"u#{u}"}}},"source":{"key":["PK"]},"no_sep":true}
{"PK":{"S":"u#7#8"},"Type":{"S":"E"}}
e {"u":"7#8"}

{"renorm":1,"no_sep":true,"source":{"key":["PK"]},"entities":{"E":{"keys":{"PK":"f#{u}#{path:sep}"}}}}
{"PK":{"S":"f#7#a#b"},"Type":{"S":"E"}}
e {"u":"7","path":"a#b"}

{"keys":{"PK":"u#{u}"},"no_sep":true}
{"PK":{"S":"u#7#8"},"Type":{"S":"E"}}
rejected key-template

# it is for the keys stage, too, and nothing to templates without a separator
{"no_sep":true,"keys":{"PK":"{u}"},"stages":[{"keys":{"G":"g#{h}"}}],"columns":["u","h"]}
{"PK":{"S":"1#2"},"G":{"S":"g#1"},"Type":{"S":"E"}}
e {"u":"1#2","h":"1"}

{"no_sep":true,"keys":{"PK":"{u}"},"stages":[{"keys":{"G":"g#{h}"}}],"columns":["u","h"]}
{"PK":{"S":"1"},"G":{"S":"g#1#2"},"Type":{"S":"E"}}
rejected key-template

# what typed parts hold their type says
{"no_sep":true,"keys":{"PK":"d-{d:date}"}}
{"PK":{"S":"d-2026-01-02"},"Type":{"S":"E"}}
e {"d":"2026-01-02"}

{"keys":{"PK":"u{u:no-sep}"}}
{}
problem template "u{u:no-sep}": no literal of the template has a separator that the part could hold

{"keys":{"PK":"u"},"stages":[{"derive":{"x":"a#{b:no-sep}"}}],"columns":["x"]}
{}
problem template "a#{b:no-sep}": only parts of a key may forbid or allow separators

{"no_sep":"yes","keys":{"PK":"u#{u}"}}
{}
problem "no_sep" must be true or false, not a string
