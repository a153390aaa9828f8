#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every way to come by credentials, around the finished program: stand-ins for the services that hand
# them out, and a simulator that verifies who signed.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/tools/pg.sh"
if [ -z "${PG_DIR:-}" ]; then pg_start; fi

table=(--generate 300 --page-bytes 16384)
shop_model model.json
shop_rows want.rows "${table[@]}"
start cloud python3 "$TESTS/e2e-aws/cloud.py" cloud.port cloud.calls
wait_until '[ -s cloud.port ]'
cloud=http://127.0.0.1:$(cat cloud.port)
known=(--credentials AKBASE:base-secret-key --credentials T1:changing-secret-1:changing-token-1
    --credentials T2:changing-secret-2:changing-token-2)
for name in IMDS CONTAINER ROLE SECOND WEB SSO PROCESS MFA; do known+=(--credentials "AK$name:cloud-secret-key:cloud-session-token"); done
live_sim "${table[@]}" "${known[@]}" --books books
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
export AWS_ENDPOINT_URL_STS=$cloud AWS_ENDPOINT_URL_SSO=$cloud AWS_ENDPOINT_URL_SSO_OIDC=$cloud AWS_EC2_METADATA_SERVICE_ENDPOINT=$cloud
export AWS_CONFIG_FILE=$SCRATCH/config AWS_SHARED_CREDENTIALS_FILE=$SCRATCH/credentials
: >config
: >credentials

# by NAME KEY [OPTION...]: with the environment as it is, every request is signed by that key.
by() {
    local name=$1 key=$2
    shift 2
    # any other signer is refused
    sim_control faults "[{\"key_id\":\"$key\",\"action\":\"delay\",\"ms\":1}, {\"action\":\"access-denied\"}]" >/dev/null
    rm -rf out
    "$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 4 "$@" 2>err.txt ||
        fail "$name: $(cat err.txt)"
    same_rows "$name" out want.rows
    equal "$name: other signers" "$(sim_control stats | jq '.rules[1].fired')" 0
}

AWS_EC2_METADATA_DISABLED=false by "instance metadata" AKIMDS
AWS_EC2_METADATA_DISABLED=false AWS_REGION='' by "instance metadata, and its region" AKIMDS
expect_exit 4 "$BIN" export dynamodb:shop out -m model.json --quiet 2>err.txt

echo "Bearer pod" >pod-token
AWS_CONTAINER_CREDENTIALS_FULL_URI=$cloud/container AWS_CONTAINER_AUTHORIZATION_TOKEN='Bearer pod' \
    by "container" AKCONTAINER
AWS_CONTAINER_CREDENTIALS_FULL_URI=$cloud/container AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=$SCRATCH/pod-token \
    by "container, token in a file" AKCONTAINER

printf 'web-token' >web
AWS_WEB_IDENTITY_TOKEN_FILE=$SCRATCH/web AWS_ROLE_ARN=arn:aws:iam::123456789012:role/web by "web identity" AKWEB

# what other tools take differently is told, on standard error
printf '[one]\naws_access_key_id = T1\naws_secret_access_key = changing-secret-1\naws_security_token = changing-token-1
[two]\naws_access_key_id = wrong\naws_access_key_id = T2\naws_secret_access_key = changing-secret-2\naws_session_token = changing-token-2\n' >credentials
AWS_PROFILE=one AWS_DEFAULT_PROFILE=two AWS_RETRY_MODE=fast by "two profiles, an old name of the token" T1
cat >want.txt <<TXT
renorm: AWS_PROFILE is "one" and AWS_DEFAULT_PROFILE is "two": "one" is taken (the AWS command line takes the other)
renorm: AWS_RETRY_MODE is "fast", not legacy, standard or adaptive; it does not apply here: --give-up does
renorm: "$SCRATCH/credentials": "aws_access_key_id" of profile "two" stands in lines 6 and 7: line 7 is taken
TXT
cmp want.txt err.txt || fail "told: $(cat err.txt)"

cat >credentials <<'INI'
[base]
aws_access_key_id = AKBASE
aws_secret_access_key = base-secret-key
INI
cat >config <<INI
[profile role]
role_arn = arn:aws:iam::123456789012:role/one
source_profile = base
external_id = x1
role_session_name = night
[profile second]
role_arn = arn:aws:iam::123456789012:role/two
source_profile = role
[profile outsider]
role_arn = arn:aws:iam::123456789012:role/one
source_profile = base
external_id = wrong
[profile mfa]
role_arn = arn:aws:iam::123456789012:role/one
source_profile = base
mfa_serial = arn:aws:iam::123456789012:mfa/me
[profile process]
credential_process = $SCRATCH/process.sh "two words"
[profile changing]
credential_process = $SCRATCH/changing.sh
[profile sso]
sso_session = corp
sso_account_id = 123456789012
sso_role_name = reader
[sso-session corp]
sso_region = us-east-1
sso_start_url = https://corp.example/start
[profile old-sso]
sso_start_url = https://corp.example/start
sso_region = us-east-1
sso_account_id = 123456789012
sso_role_name = reader
INI
by "shared file" AKBASE --profile base
AWS_PROFILE=base by "profile by variable" AKBASE
by "assumed role" AKROLE --profile role
by "role behind a role" AKSECOND --profile second
expect_exit 4 "$BIN" export 'dynamodb:shop?profile=outsider' out2 -m model.json --quiet 2>err.txt
grep -q 'AccessDenied: not you' err.txt || fail "$(cat err.txt)"

cat >process.sh <<'SH'
#!/bin/sh
[ "$1" = "two words" ] || exit 1
echo '{"Version":1,"AccessKeyId":"AKPROCESS","SecretAccessKey":"cloud-secret-key","SessionToken":"cloud-session-token"}'
SH
chmod +x process.sh
by "credential process" AKPROCESS --profile process

mkdir -p .aws/sso/cache
token() {
    printf '{"accessToken":"sso-token","expiresAt":"%s","startUrl":"https://corp.example/start"}' "$2" \
        >".aws/sso/cache/$(printf '%s' "$1" | sha1sum | cut -d' ' -f1).json"
}
token corp 2999-01-01T00:00:00Z
by "sso session" AKSSO --profile sso
# a service that is busy at first is asked again
for statuses in '503' '429' '503 500 503 429'; do
    echo "$statuses" >cloud.calls.busy
    by "sso session, after $statuses" AKSSO --profile sso
    equal "statuses left" "$(cat cloud.calls.busy)" ''
done
echo '503 503 503 503' >cloud.calls.busy # more than one call is tried
by "assumed role, after 503" AKROLE --profile role
token https://corp.example/start 2999-01-01T00:00:00Z
by "sso, the older keys" AKSSO --profile old-sso
token corp 2020-01-01T00:00:00Z
expect_exit 4 "$BIN" export dynamodb:shop out2 -m model.json --quiet --profile sso 2>err.txt
grep -q 'aws sso login --profile sso' err.txt || fail "$(cat err.txt)"

# ---- a token that says how it is renewed ----
cache=.aws/sso/cache/$(printf corp | sha1sum | cut -d' ' -f1).json
renewable() {
    jq -cn --arg refresh "$1" '{startUrl: "https://corp.example/start", accessToken: "old-token", expiresAt: "2020-01-01T00:00:00Z",
        clientId: "client", clientSecret: "client-secret", registrationExpiresAt: "2999-01-01T00:00:00Z", refreshToken: $refresh}' >"$cache"
    chmod 644 "$cache"
}
renewable refresh-1
by "sso, renewed" AKSSO --profile sso
equal "the new token is kept" "$(jq -c '[.accessToken, .refreshToken, .clientId, .startUrl]' "$cache")" \
    '["sso-token","refresh-2","client","https://corp.example/start"]'
equal "and private" "$(stat -c %a "$cache")" 600
equal "alone" "$(find .aws/sso/cache -name '*.part' | wc -l)" 0
by "sso, not renewed again" AKSSO --profile sso
equal "renewals" "$(grep -c 'POST /token' cloud.calls)" 1
renewable refresh-1
echo 503 >cloud.calls.busy
by "sso, renewed after a 503" AKSSO --profile sso
renewable refresh-gone
expect_exit 4 "$BIN" export dynamodb:shop out2 -m model.json --quiet --profile sso 2>err.txt
grep -q 'has expired, and is not renewed: ' err.txt || fail "$(cat err.txt)"
grep -q 'aws sso login --profile sso' err.txt || fail "$(cat err.txt)"

# ---- a role that asks for a code: at the terminal, or not at all ----
rm -rf out
sim_control faults '[{"key_id":"AKMFA","action":"delay","ms":1}, {"action":"access-denied"}]' >/dev/null
go=("$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 4 --profile mfa)
python3 "$TESTS/e2e-aws/typist.py" 'MFA code of arn:aws:iam::123456789012:mfa/me: ' 246810 "${go[@]}" >shown.txt ||
    fail "with a code: $(cat shown.txt)"
same_rows "with a code" out want.rows
! grep -q 246810 shown.txt || fail "the code was shown: $(cat shown.txt)"
rm -rf out
status=0
python3 "$TESTS/e2e-aws/typist.py" 'MFA code of ' 654321 "${go[@]}" >shown.txt || status=$?
equal "exit status with a wrong code" "$status" 4
grep -q 'AccessDenied: not you' shown.txt || fail "$(cat shown.txt)"
expect_exit 4 setsid -w "${go[@]}" 2>err.txt
grep -q 'which an unattended run cannot give' err.txt || fail "$(cat err.txt)"

# ---- a token expires half way: refreshed once, and nothing is lost ----
cat >changing.sh <<'SH'
#!/bin/sh
cd "$(dirname "$0")" || exit 1
echo asked >>asked
n=$(wc -l <asked)
[ "$n" -le 2 ] || n=2
echo "{\"Version\":1,\"AccessKeyId\":\"T$n\",\"SecretAccessKey\":\"changing-secret-$n\",\"SessionToken\":\"changing-token-$n\"}"
SH
chmod +x changing.sh
sim_control faults '{"token":"changing-token-1","after":6,"action":"expired-token"}' >/dev/null
rm -rf out
"$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 8 --workers 4 --profile changing
same_rows "expired half way" out want.rows
equal "how often the process was asked" "$(wc -l <asked)" 2

# ---- no secret in what is written, by a run that ends well or badly, in a folder or a database ----
secrets='SecretAccessKey|(base|cloud|changing)-secret|(cloud-session|changing|sso|web)-token|refresh-[12]|client-secret|pod'
token corp 2999-01-01T00:00:00Z
url=$(pg_db "secrets_$$")
"$BIN" export dynamodb:shop "$url" -m model.json --rcu 100000 --profile sso --schema shop >>written.txt 2>&1
sim_control faults '{"operation":"Scan","every":3,"action":"access-denied"}' >/dev/null
expect_exit 4 "$BIN" export dynamodb:shop "$url" -m model.json --rcu 100000 --profile role --schema other >>written.txt 2>&1
expect_exit 4 "$BIN" export dynamodb:shop failed -m model.json --rcu 100000 --profile role --summary failed.json >>written.txt 2>&1
"$BIN" status "$url" >>written.txt 2>&1 || true
"$BIN" status failed >>written.txt 2>&1 || true
pg_dump -d "$url" >dump.sql
if grep -q AKSSO dump.sql; then fail "an access key in the database"; fi
grep -q 'table "shop"' dump.sql || fail "the ledger is not in the dump"
# files of a run that was cut short end in the middle: as far as they go
find out failed -name "*.zst" -exec zstd -dcq {} + >>written.txt || true
if grep -rlE "$secrets" out failed failed.json dump.sql written.txt want.rows err.txt shown.txt; then fail "a secret was written"; fi
