# SPDX-License-Identifier: MIT
"""Designs that mislead about entities, and about the types of values."""

from datetime import datetime, timezone
from decimal import Decimal

from .kit import N, day, design, moment, money, person, serials, words


@design
def business_type(d, r):
    """`Type` is of the business (savings, van), on two entities of three; nothing names the entity but the keys."""
    account = d.table("account", "account_id", account_id="text", type="text", balance="numeric", opened_on="date")
    vehicle = d.table("vehicle", "vehicle_id", {"account_id": "account"}, vehicle_id="text", account_id="text", type="text", plate="text", seats="integer")
    trip = d.table("trip", ("vehicle_id", "started_at"), {"vehicle_id": "vehicle"}, vehicle_id="text", started_at="timestamptz", km="numeric")
    for n in serials(r, 40):
        a = account.row(account_id=f"a{n}", type=r.choice(["savings", "current", "youth"]), balance=money(r), opened_on=day(r))
        d.item(PK=f"ACC#a{n}", SK="ACC", Type=a["type"], balance=a["balance"], openedOn=a["opened_on"])
        for k in range(r.randrange(3)):
            v = vehicle.row(vehicle_id=f"v{n}{k}", account_id=f"a{n}", type=r.choice(["van", "bus", "car"]), plate=f"{words(r, 1)[:2].upper()}{n}", seats=r.randrange(2, 60))
            d.item(PK=f"ACC#a{n}", SK=f"VEH#v{n}{k}", Type=v["type"], plate=v["plate"], seats=v["seats"])
            for at in sorted({moment(r) for _ in range(4)}):
                t = trip.row(vehicle_id=v["vehicle_id"], started_at=at, km=money(r))
                d.item(PK=f"VEH#v{n}{k}", SK=f"TRIP#{at}", km=t["km"])


@design
def two_spellings(d, r):
    """Type is Order in old items and order in new ones: told, not merged, so two tables."""
    d.conventions(strip=("Type",))
    shop = d.table("shop", "shop_id", shop_id="text", name="text")
    orders = [d.table(n, ("shop_id", "order_id"), {"shop_id": "shop"}, shop_id="text", order_id="text", total="numeric", placed_at="timestamptz", pk_any=[("order_id",)]) for n in ("order", "order_2")]
    for n in serials(r, 20):
        s = shop.row(shop_id=f"s{n}", name=words(r))
        d.item(PK=f"SHOP#s{n}", SK="SHOP", Type="Shop", name=s["name"])
        for k, m in enumerate(serials(r, 8, 100 * n)):
            row = orders[k % 2].row(shop_id=f"s{n}", order_id=f"o{m}", total=money(r), placed_at=moment(r))
            d.item(PK=f"SHOP#s{n}", SK=f"ORDER#o{m}", Type=["Order", "order"][k % 2], total=row["total"], placedAt=row["placed_at"])


@design
def null_texts(d, r):
    """N/A and a dash stand where a number or a day is unknown."""
    d.conventions(strip=("kind",))
    part = d.table("part", "part_id", part_id="text", price="numeric", stock="integer ~bigint", checked_on="date", grade="text")
    for n in serials(r, 90):
        row = part.row(part_id=f"p{n}", price=money(r) if r.random() < 0.8 else None, stock=r.randrange(500) if r.random() < 0.8 else None,
                       checked_on=day(r) if r.random() < 0.7 else None, grade=r.choice("ABC"))
        d.item(PK=f"PART#p{n}", SK="PART", kind="part", price=str(row["price"] or "N/A"), stock="-" if row["stock"] is None else str(row["stock"]),
               checkedOn=row["checked_on"] or "N/A", grade=row["grade"])


@design
def json_texts(d, r):
    """Documents of no fixed form kept as strings of JSON."""
    d.conventions(strip=("Type",))
    hook = d.table("hook", "hook_id", hook_id="text", url="text", created_at="timestamptz")
    call = d.table("call", ("hook_id", "call_id"), {"hook_id": "hook"}, hook_id="text", call_id="text", payload="jsonb ~text", status="integer", pk_any=[("call_id",)])
    for n in serials(r, 12):
        h = hook.row(hook_id=f"h{n}", url=f"https://{words(r, 1)}.example/{n}", created_at=moment(r))
        d.item(PK=f"HOOK#h{n}", SK="HOOK", Type="Hook", url=h["url"], createdAt=h["created_at"])
        for m in serials(r, 6, 50 * n):
            text = '{"%s": %d, "deep": {"%s": ["%s", null]}}' % (words(r, 1), m, words(r, 1), words(r))
            row = call.row(hook_id=f"h{n}", call_id=f"c{m}", payload=text, status=r.choice([200, 404, 500]))
            d.item(PK=f"HOOK#h{n}", SK=f"CALL#c{m}", Type="Call", payload=text, status=row["status"])


def iso(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@design
def epochs(d, r):
    """Epochs in ms and s by their names; an account number of the same size is none."""
    d.conventions(strip=("type",))
    session = d.table("session", "session_id", session_id="text", created_at="timestamptz", seen_at="timestamptz", account_number="bigint ~integer ~text", hits="integer", expires="bigint optional ~timestamptz")
    for n in serials(r, 80):
        s, m = 1650000000 + r.randrange(10 ** 7), 1650000000 + r.randrange(10 ** 7)
        row = session.row(session_id=f"x{n}", created_at=iso(s), seen_at=iso(m), account_number=1600000000 + r.randrange(10 ** 8), hits=r.randrange(99), expires=m + 90000000)
        d.item(PK=f"S#x{n}", SK="S", type="session", createdAt=s, lastSeenAt=m * 1000, accountNumber=row["account_number"], hits=row["hits"], expires=row["expires"])


@design
def number_texts(d, r):
    """Numbers as strings, beside strings that only look like numbers: postal codes, phones, versions."""
    d.conventions(key=("pk", "sk"), strip=("et",))
    branch = d.table("branch", "branch_id", branch_id="text ~integer ~bigint", zip="text", phone="text", area="numeric", floors="integer ~bigint", build="text")
    for n in serials(r, 70):
        row = branch.row(branch_id=str(n), zip=f"{r.randrange(99999):05d}", phone=f"+47{r.randrange(10 ** 7, 10 ** 8)}", area=money(r), floors=r.randrange(1, 30), build=f"{r.randrange(4)}.{r.randrange(9)}.{r.randrange(20)}")
        d.item(pk=f"BR#{n}", sk="INFO", et="BR", zip=row["zip"], phone=row["phone"], area=str(row["area"]), floors=str(row["floors"]), build=row["build"])


@design
def extremes(d, r):
    """38 digits, whole numbers beyond bigint, tiny exponents, bytes, empty strings, quotes and line ends."""
    d.conventions(strip=("Type",))
    probe = d.table("probe", "probe_id", probe_id="text", wide="numeric", count="numeric", tiny="numeric", raw="bytea", note="text", tags="text[]")
    for n in serials(r, 60):
        row = probe.row(probe_id=f"q{n}", wide=Decimal(r.randrange(10 ** 37, 10 ** 38)).scaleb(-19), count=r.randrange(10 ** 19, 10 ** 25), tiny=Decimal(r.randrange(1, 999)).scaleb(-30),
                        raw=r.randbytes(9), note=r.choice(["", 'a "b"', "two\nlines", "comma, semi;", "naïve – ünï"]), tags=tuple(sorted(r.sample(["a", "b", "c", "d"], 2))))
        d.item(PK=f"PROBE#q{n}", SK="PROBE", Type="Probe", wide=row["wide"], count=row["count"], tiny=N(f"{row['tiny']:e}".upper()), raw=row["raw"], note=row["note"], tags=row["tags"])


@design
def case_names(d, r):
    """userName and UserName on one item, e-mail in two spellings over time: nothing may fall on one column."""
    d.conventions(strip=("Type",))
    user = d.table("profile", "profile_id", profile_id="text", user_name="text", user_name_2="text", email="text", email_2="text", age="integer")
    for n in serials(r, 80):
        row = user.row(profile_id=f"u{n}", user_name=f"{words(r, 1)}{n}", user_name_2=person(r), email=f"a{n}@example.com" if n % 2 else None, email_2=None if n % 2 else f"b{n}@example.com", age=r.randrange(18, 90))
        d.item(PK=f"P#u{n}", SK="P#", Type="Profile", userName=row["user_name"], UserName=row["user_name_2"], email=row["email"] or ..., Email=row["email_2"] or ..., age=row["age"])


@design
def wide_sparse(d, r):
    """An entity with 200 attributes of which an item has six, beside one with two items."""
    names = [f"{a}_{b}" for a in ("size", "max", "min", "port", "volt", "tone", "rate", "gain", "slot", "bias") for b in
             ("left", "right", "front", "back", "inner", "outer", "upper", "lower", "north", "south", "east", "west", "first", "last", "open", "shut", "warm", "cold", "wet", "dry")]
    part = d.table("component", "component_id", component_id="text", maker="text", **{n: "integer" for n in names})
    line = d.table("assembly", "assembly_id", assembly_id="text", started_on="date")
    for n in ("a1", "a2"):
        row = line.row(assembly_id=n, started_on=day(r))
        d.item(PK=f"ASM#{n}", SK="ASM", startedOn=row["started_on"])
    for k, n in enumerate(serials(r, 400)):
        own = {m: r.randrange(1000) for m in r.sample(names, 5)} | {names[k % len(names)]: r.randrange(1000)}
        row = part.row(component_id=f"c{n}", maker=words(r, 1), **own)
        d.put({"PK": f"CMP#c{n}", "SK": "CMP", "maker": row["maker"], **own})


@design
def mixed_types(d, r):
    """Numbers in old items and words in new ones; true as BOOL and as text."""
    d.conventions(strip=("Type",))
    bin_ = d.table("bin", "bin_id", bin_id="text", level="text ~jsonb", full="boolean ~text", unit="integer ~bigint ~text")
    for n in serials(r, 90):
        word = r.random() < 0.3
        row = bin_.row(bin_id=f"b{n}", level=r.choice(["low", "high"]) if word else str(r.randrange(100)), full=r.random() < 0.5, unit=r.randrange(50))
        d.item(PK=f"BIN#b{n}", SK="BIN", Type="Bin", level=row["level"] if word else N(row["level"]), full=row["full"] if n % 2 else str(row["full"]).lower(),
               unit=row["unit"] if n % 3 else str(row["unit"]))


@design
def tiny_entities(d, r):
    """Six entities with one to five items each, no type."""
    plan = d.table("plan", "plan_id", plan_id="text", price="numeric", seats="integer")
    region = d.table("region", "region_id", region_id="text", title="text")
    staff = d.table("staff", "staff_id", {"region_id": "region"}, staff_id="text", region_id="text", name="text", born_on="date")
    counter = d.table("counter", "last", optional=True, last="bigint")
    for n, p in (("free", "0"), ("team", "12.50"), ("corp", "99")):
        plan.row(plan_id=f"{n}1", price=Decimal(p), seats=len(n))
        d.item(PK=f"PLAN#{n}1", SK="PLAN", price=Decimal(p), seats=len(n))
    for n in ("eu1", "us2"):
        row = region.row(region_id=n, title=words(r))
        d.item(PK=f"REGION#{n}", SK="REGION", title=row["title"])
    for k in range(5):
        row = staff.row(staff_id=f"st{k}7", region_id=["eu1", "us2"][k % 2], name=person(r), born_on=day(r))
        d.item(PK=f"REGION#{row['region_id']}", SK=f"STAFF#{row['staff_id']}", name=row["name"], bornOn=row["born_on"])
    counter.row(last=4711)
    d.item(PK="COUNTER", SK="COUNTER", last=4711)
