#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# TLS that is verified, proxies, compressed answers, a server that comes late.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"

table=(--generate 1000 --page-bytes 65536)
shop_model model.json
shop_rows want.rows "${table[@]}"
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
live_sim "${table[@]}" --tls cert.pem --tls-key key.pem
go=("$BIN" export dynamodb:shop out -m model.json --quiet --rcu 100000 --segments 6 --workers 2)

AWS_CA_BUNDLE=cert.pem "${go[@]}"
same_rows "tls" out want.rows
rm -rf out
expect_exit 2 "${go[@]}" 2>err.txt
grep -q 'AWS_CA_BUNDLE' err.txt || fail "$(cat err.txt)"
rm -rf out
REQUESTS_CA_BUNDLE=cert.pem "${go[@]}"
same_rows "tls, bundle of Python's requests" out want.rows
rm -rf out
printf '[default]\nca_bundle = %s/cert.pem\n' "$SCRATCH" >config
AWS_CONFIG_FILE=config "${go[@]}"
same_rows "tls, bundle of the profile" out want.rows
# a certificate for another name
openssl req -x509 -newkey rsa:2048 -nodes -keyout key2.pem -out cert2.pem -days 2 -subj /CN=other.example 2>/dev/null
tls_url=$SIM_URL
sim_start other --no-auth "${table[@]}" --tls cert2.pem --tls-key key2.pem
rm -rf out
AWS_CA_BUNDLE=cert2.pem AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL expect_exit 2 "${go[@]}" 2>err.txt

# ---- proxies ----
start proxy python3 "$TESTS/e2e-aws/proxy.py" proxy.port proxy.calls
wait_until '[ -s proxy.port ]'
proxy=http://127.0.0.1:$(cat proxy.port)
rm -rf out
AWS_CA_BUNDLE=cert.pem AWS_ENDPOINT_URL_DYNAMODB=$tls_url https_proxy=$proxy "${go[@]}"
same_rows "through a tunnel" out want.rows
grep -q "^CONNECT ${tls_url#https://}" proxy.calls || fail "the proxy was not asked"
live_sim "${table[@]}" --gzip
rm -rf out
http_proxy=$proxy "${go[@]}"
same_rows "through a proxy" out want.rows
grep -q "^POST $SIM_URL/" proxy.calls || fail "the proxy was not asked"
calls=$(wc -l <proxy.calls)
rm -rf out
http_proxy=$proxy no_proxy=127.0.0.1 "${go[@]}"
same_rows "around the proxy" out want.rows
HTTP_PROXY=$proxy no_proxy=127.0.0.1 "${go[@]}"
equal "calls of the proxy" "$(wc -l <proxy.calls)" "$calls"
rm -rf out
HTTP_PROXY=$proxy "${go[@]}"
same_rows "through a proxy, its variable in capitals" out want.rows
[ "$(wc -l <proxy.calls)" -gt "$calls" ] || fail "the proxy of HTTP_PROXY was not asked"

# ---- the endpoint by option, by address, by profile ----
url=$AWS_ENDPOINT_URL_DYNAMODB
unset AWS_ENDPOINT_URL_DYNAMODB
printf '[default]\nregion = eu-west-1\nservices = here\n[services here]\ndynamodb =\n  endpoint_url = %s\n' "$url" >config
rm -rf out
"${go[@]}" --endpoint "$url" && same_rows "--endpoint" out want.rows
AWS_ENDPOINT_URL=$url "${go[@]}" && same_rows "AWS_ENDPOINT_URL" out want.rows
AWS_REGION='' AWS_CONFIG_FILE=config "${go[@]}" && same_rows "profile" out want.rows
AWS_REGION='' "$BIN" export "dynamodb:shop?region=eu-west-3&endpoint=${url//:/%3A}" out -m model.json --quiet
same_rows "in the address" out want.rows

# ---- compressed: the same rows, fewer bytes ----
export AWS_ENDPOINT_URL_DYNAMODB=$url
plain=$(sim_stat bytes_out)
"${go[@]}"
plain=$(($(sim_stat bytes_out) - plain))
packed=$(sim_stat bytes_out)
"${go[@]}" --gzip
packed=$(($(sim_stat bytes_out) - packed))
same_rows "gzip" out want.rows
[ "$packed" -lt $((plain / 2)) ] || fail "$packed bytes compressed, $plain plain"

# ---- nobody there yet: the run waits and goes on when the server comes ----
port=$(free_port)
rm -rf out
AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:$port start late "${go[@]}" --give-up 300
pid=$STARTED
sim_start later --credentials AKID:SECRET "${table[@]}" --port "$port"
wait "$pid" || fail "exit status $?: $(cat late.log)"
same_rows "a server that comes late" out want.rows
expect_exit 3 env AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:1 "${go[@]}" --give-up 1 2>err.txt
grep -q 'nothing succeeded' err.txt || fail "$(cat err.txt)"
