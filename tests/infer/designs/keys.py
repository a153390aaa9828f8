# SPDX-License-Identifier: MIT
"""Designs whose keys are not what tutorials show."""

from .kit import day, design, moment, money, person, serials, ulid, uuid, words


@design
def glued_keys(d, r):
    """No separator anywhere, no type: C00017, O0000123. The attributes that repeat the ids say where they end."""
    d.conventions(key=("pk", "sk"))
    customer = d.table("customer", "customer_id", customer_id="text", name="text", city="text")
    order = d.table("order", "order_id", {"customer_id": "customer"}, order_id="text", customer_id="text", total="numeric", placed_on="date")
    product = d.table("product", "product_id", product_id="text", title="text", price="numeric", weight="integer")
    ids = [f"C{n:05d}" for n in serials(r, 40)]
    for c in ids:
        row = customer.row(customer_id=c, name=person(r), city=r.choice(["Oslo", "Graz", "Lyon"]))
        d.item(pk=c, sk="PROFILE", customerId=c, name=row["name"], city=row["city"])
    for n in serials(r, 120):
        row = order.row(order_id=f"O{n:07d}", customer_id=r.choice(ids), total=money(r), placed_on=day(r))
        d.item(pk=row["customer_id"], sk=row["order_id"], orderId=row["order_id"], total=row["total"], placedOn=row["placed_on"])
    for n in serials(r, 30):
        row = product.row(product_id=f"P{n:04d}", title=words(r, 3), price=money(r), weight=r.randrange(1, 900))
        d.item(pk=row["product_id"], sk="PRODUCT", productId=row["product_id"], title=row["title"], price=row["price"], weight=row["weight"])


@design
def optional_parts(d, r):
    """GSI1SK holds country, state and city, cut short where one is unknown, and stands nowhere else."""
    d.conventions(index=("GSI1PK", "GSI1SK"), strip=("GSI1PK", "Type"))
    site = d.table("site", "site_id", site_id="text", country="text", state="text", city="text", name="text", opened_on="date")
    visit = d.table("visit", ("site_id", "visited_at"), {"site_id": "site"}, site_id="text", visited_at="timestamptz", guests="integer")
    for n in serials(r, 60):
        parts = [r.choice(["NO", "AT", "FR"]), f"S{r.randrange(9)}", f"T{r.randrange(40)}"][:r.choice([1, 2, 3, 3])]
        row = site.row(site_id=f"s{n}", country=parts[0], state=(parts + [None] * 2)[1], city=(parts + [None] * 2)[2], name=words(r), opened_on=day(r))
        d.item(PK="SITE#" + row["site_id"], SK="SITE#" + row["site_id"], Type="Site", GSI1PK="SITES", GSI1SK="#".join(parts), Name=row["name"], OpenedOn=row["opened_on"])
        for at in sorted({moment(r) for _ in range(r.randrange(4))}):
            v = visit.row(site_id=row["site_id"], visited_at=at, guests=r.randrange(1, 60))
            d.item(PK="SITE#" + row["site_id"], SK="VISIT#" + at, Type="Visit", Guests=v["guests"])


@design
def two_shapes(d, r):
    """One entity in two key shapes: orders of customers and orders of guests, told by nothing but their key."""
    d.conventions(strip=("entity",))
    customer = d.table("customer", "customer_id", customer_id="text ~integer ~bigint", name="text", email="text")
    order = d.table("order", "order_id", {"customer_id": "customer"}, order_id="text", customer_id="text ~integer ~bigint", total="numeric", status="text", placed_at="timestamptz")
    ids = [str(n) for n in serials(r, 35)]
    for c in ids:
        row = customer.row(customer_id=c, name=person(r), email=f"u{c}@example.com")
        d.item(PK=f"CUST#{c}", SK="PROFILE", entity="customer", name=row["name"], email=row["email"])
    for n in serials(r, 140, 5000):
        row = order.row(order_id=f"o-{n}", customer_id=r.choice(ids) if r.random() < 0.7 else None, total=money(r), status=r.choice(["open", "paid"]), placed_at=moment(r))
        pk = f"CUST#{row['customer_id']}" if row["customer_id"] else "GUEST"
        d.item(PK=pk, SK=f"ORDER#{row['order_id']}", entity="order", total=row["total"], status=row["status"], placedAt=row["placed_at"])


@design
def one_shape(d, r):
    """Two entities in one key shape, without a type: what an event has tells which it is."""
    d.conventions(key=("pk", "sk"))
    user = d.table("user", "user_id", user_id="uuid ~text", name="text")
    login = d.table("login", ("user_id", "at"), {"user_id": "user"}, user_id="uuid ~text", at="timestamptz", ip="text", agent="text", ok="boolean")
    purchase = d.table("purchase", ("user_id", "at"), {"user_id": "user"}, user_id="uuid ~text", at="timestamptz", sku="text", amount="numeric", currency="text")
    for _ in range(25):
        u = uuid(r)
        user.row(user_id=u, name=(name := person(r)))
        d.item(pk=f"user#{u}", sk="user", name=name)
        times = sorted({moment(r) for _ in range(10)})
        for n, at in enumerate(times):
            if n % 2:
                row = login.row(user_id=u, at=at, ip=f"10.0.{r.randrange(256)}.{r.randrange(256)}", agent=words(r), ok=r.random() < 0.8)
            else:
                row = purchase.row(user_id=u, at=at, sku=f"K{r.randrange(99)}", amount=money(r), currency=r.choice(["EUR", "NOK"]))
            d.put({"pk": f"user#{u}", "sk": f"event#{at}", **{k: v for k, v in row.items() if k not in ("user_id", "at")}})


@design
def colons_and_uuids(d, r):
    """Two colons separate, hyphens stand inside uuids, prefixes are in lower case."""
    d.conventions(key=("_pk", "_sk"), separator="::", strip=("_t",))
    tenant = d.table("tenant", "tenant_id", tenant_id="uuid ~text", name="text", plan="text")
    invoice = d.table("invoice", ("tenant_id", "number"), {"tenant_id": "tenant"}, tenant_id="uuid ~text", number="integer ~text ~bigint", amount="numeric", due_on="date")
    for _ in range(20):
        t = uuid(r)
        row = tenant.row(tenant_id=t, name=words(r), plan=r.choice(["free", "team", "big"]))
        d.item(_pk=f"tenant::{t}", _sk="tenant::root", _t="tenant", name=row["name"], plan=row["plan"])
        for n in range(1, r.randrange(3, 9)):
            i = invoice.row(tenant_id=t, number=n, amount=money(r), due_on=day(r))
            d.item(_pk=f"tenant::{t}", _sk=f"tenant::invoice::{n}", _t="invoice", amount=i["amount"], dueOn=i["due_on"])


@design
def pipes_and_dates(d, r):
    """`hash` and `range`; the sort key is a day, a bar and a ULID; no type."""
    d.conventions(key=("hash", "range"), separator="|")
    account = d.table("account", "account_id", account_id="text", owner="text", opened_on="date")
    entry = d.table("entry", "entry_id", {"account_id": "account"}, account_id="text", booked_on="date", entry_id="text", amount="numeric", memo="text",
                    pk_any=[("account_id", "booked_on", "entry_id")])
    for n in serials(r, 20):
        a = account.row(account_id=f"A-{n}", owner=person(r), opened_on=day(r))
        d.item(hash=f"Acct|A-{n}", range="Acct|Main", owner=a["owner"], openedOn=a["opened_on"])
        for _ in range(8):
            e = entry.row(account_id=f"A-{n}", booked_on=day(r), entry_id=ulid(r), amount=money(r), memo=words(r, 4))
            d.item(hash=f"Acct|A-{n}", range=f"Entry|{e['booked_on']}|{e['entry_id']}", amount=e["amount"], memo=e["memo"])


@design
def single_key(d, r):
    """A table with one key, `id`, and three entities in it by prefix."""
    d.conventions(key=("id",), separator="_")
    team = d.table("team", "team_id", team_id="text ~integer ~bigint", name="text", founded="integer")
    user = d.table("user", "user_id", {"team_id": "team"}, user_id="text ~integer ~bigint", team_id="text ~integer ~bigint", email="text", active="boolean")
    badge = d.table("badge", "badge_id", {"user_id": "user"}, badge_id="text ~integer ~bigint", user_id="text ~integer ~bigint", label="text", given_at="timestamptz")
    teams, users = [str(n) for n in serials(r, 9)], [str(n) for n in serials(r, 60, 20000)]
    for t in teams:
        row = team.row(team_id=t, name=words(r), founded=r.randrange(1980, 2020))
        d.item(id=f"team_{t}", name=row["name"], founded=row["founded"])
    for u in users:
        row = user.row(user_id=u, team_id=r.choice(teams), email=f"m{u}@example.org", active=r.random() < 0.5)
        d.item(id=f"user_{u}", teamId=f"team_{row['team_id']}", email=row["email"], active=row["active"])
    for n in serials(r, 80, 90000):
        row = badge.row(badge_id=str(n), user_id=r.choice(users), label=r.choice(["gold", "blue"]), given_at=moment(r))
        d.item(id=f"badge_{n}", userId=f"user_{row['user_id']}", label=row["label"], givenAt=row["given_at"])


@design
def paths(d, r):
    """Keys like paths of a file system, with a slash in front."""
    d.conventions(key=("Path", "Leaf"), separator="/")
    org = d.table("org", "org_id", org_id="text", title="text", seats="integer")
    member = d.table("member", ("org_id", "member_id"), {"org_id": "org"}, org_id="text", member_id="text", role="text", joined_on="date", pk_any=[("member_id",)])
    for n in serials(r, 15):
        o = org.row(org_id=f"acme{n}", title=words(r), seats=r.randrange(5, 500))
        d.item(Path=f"/orgs/acme{n}", Leaf="/", title=o["title"], seats=o["seats"])
        for m in serials(r, 6, 100 * n):
            row = member.row(org_id=f"acme{n}", member_id=f"m{m}", role=r.choice(["admin", "guest"]), joined_on=day(r))
            d.item(Path=f"/orgs/acme{n}", Leaf=f"/members/m{m}", role=row["role"], joinedOn=row["joined_on"])


@design
def number_keys(d, r):
    """Both keys are numbers: a device and the millisecond of its reading."""
    d.conventions(key=("device", "ts"))
    reading = d.table("reading", ("device", "ts"), device="integer ~bigint ~text", ts="bigint ~timestamptz", temperature="numeric", battery="integer", firmware="text")
    for n in serials(r, 12):
        for k in range(20):
            row = reading.row(device=n, ts=1700000000000 + 60000 * k + r.randrange(1000), temperature=money(r), battery=r.randrange(101), firmware=r.choice(["1.2.0", "1.3.1"]))
            d.put(row)


@design
def shapeless_keys(d, r):
    """Hashes for keys; a type attribute with a strange name is all there is, references are whole keys."""
    d.conventions(key=("k",), strip=("zz",))
    folder = d.table("folder", "k", k="text", label="text")
    file = d.table("file", "k", {"parent": "folder"}, k="text", parent="text", size="integer", name="text", changed_at="timestamptz")
    folders = [f"{r.getrandbits(80):020x}" for _ in range(15)]
    for k in folders:
        row = folder.row(k=k, label=words(r))
        d.item(k=k, zz="F", label=row["label"])
    for _ in range(120):
        row = file.row(k=f"{r.getrandbits(80):020x}", parent=r.choice(folders), size=r.randrange(10 ** 6), name=words(r), changed_at=moment(r))
        d.item(k=row["k"], zz="D", parent=row["parent"], size=row["size"], name=row["name"], changedAt=row["changed_at"])


@design
def lookups(d, r):
    """Values where nobody expects them: one partition lists countries by their code, one holds settings by name."""
    country = d.table("country", "code", code="text", name="text", vat="integer")
    setting = d.table("setting", "name", name="text", value="text", changed_on="date")
    city = d.table("city", "city_id", {"country_code": "country"}, city_id="text", country_code="text", name="text", people="integer")
    codes = ["NO", "SE", "DK", "FI", "AT", "DE", "FR", "IT", "ES", "PT", "PL", "CZ", "IE", "BE", "NL", "LU", "CH", "GR", "HU", "RO", "BG", "HR", "SK", "SI", "EE"]
    for n, c in enumerate(codes):
        row = country.row(code=c, name=f"{words(r)} {n}", vat=r.randrange(15, 26))
        d.item(PK="COUNTRIES", SK=c, name=row["name"], vat=row["vat"])
    for n in range(24):
        row = setting.row(name=f"{words(r, 1)}.limit{n}", value=words(r), changed_on=day(r))
        d.item(PK="SETTINGS", SK=row["name"], value=row["value"], changedOn=row["changed_on"])
    for n in serials(r, 90):
        row = city.row(city_id=f"c{n}", country_code=r.choice(codes), name=words(r), people=r.randrange(10 ** 6))
        d.item(PK=f"CITY#c{n}", SK=f"CITY#c{n}", country=row["country_code"], name=row["name"], people=row["people"])
