# Sourced by run.sh, test.sh, perf.sh, reliability.sh and .ci/run: installs what is missing, fetches LibTorch,
# configures and builds. Everything it says goes to stderr; each failure is one line and an exit.
# shellcheck shell=bash disable=SC2034

ORRERY_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
: "${HOME:=/root}"
export HOME
ORRERY_CACHE_DIR=${ORRERY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/orrery}
ORRERY_SCRIPT="packaging/$(basename "$0")"
# The name stands here and in packaging/cmake/torch.cmake.
ORRERY_TORCH_DIR="$ORRERY_CACHE_DIR/libtorch-2.11.0"

ORRERY_PACKAGES="g++ cmake pkgconf ninja-build ccache mold ca-certificates openssl python3-pip unzip
    qt6-base-dev libqt6opengl6-dev qt6-svg-dev qt6-wayland libqcustomplot-dev fonts-inter fonts-jetbrains-mono
    nlohmann-json3-dev libmsgpack-cxx-dev libyaml-cpp-dev libcli11-dev libsqlite3-dev libbenchmark-dev
    libimgui-dev libgl-dev libx11-dev libgif-dev libavcodec-dev libavformat-dev libavutil-dev libswscale-dev"
ORRERY_TEST_PACKAGES="git xvfb xauth libgl1-mesa-dri xdotool jwm desktop-file-utils appstream shared-mime-info"
ORRERY_CI_PACKAGES="clang-format clang-tidy"

# What LibTorch's wheel needs on a CPU: "requirement sha256 member..." (members are what is unpacked).
ORRERY_WHEELS=(
    "torch==2.11.0 7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a torch/include/* torch/lib/libtorch_cpu.so torch/lib/libc10.so torch/lib/libgomp.so.1 torch-2.11.0.dist-info/licenses/*"
    "nvidia-cuda-runtime==13.0.96 7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548 nvidia/cu13/lib/libcudart.so.13 nvidia_cuda_runtime-13.0.96.dist-info/licenses/*"
    "nvidia-cuda-cupti==13.0.85 4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8 nvidia/cu13/lib/libcupti.so.13 nvidia_cuda_cupti-13.0.85.dist-info/licenses/*"
)

orrery_say() { printf 'orrery: %s\n' "$*" >&2; }

# orrery_fail TEXT: one line, then the exit status for a missing resource.
orrery_fail() {
    orrery_say "$*"
    exit 6
}

# Free megabytes of the file system that holds FOLDER or its nearest existing parent.
orrery_free_mb() {
    local folder=$1
    while [[ ! -d $folder ]]; do folder=$(dirname "$folder"); done
    df -Pm "$folder" | awk 'NR == 2 { print $4 }'
}

# orrery_need_mb FOLDER MB WHAT
orrery_need_mb() {
    local free
    free=$(orrery_free_mb "$1")
    if ((free < $2)); then
        orrery_fail "Disk full: $1 has $free MB free and $3 needs about $2 MB. Free some space and run again."
    fi
}

# Runs a command as root, through sudo where needed; certificates and proxies come along.
orrery_as_root() {
    if ((EUID == 0)); then
        "$@"
        return
    fi
    local name keep=()
    for name in SSL_CERT_FILE SSL_CERT_DIR PIP_CERT http_proxy https_proxy no_proxy DEBIAN_FRONTEND; do
        [[ -n ${!name:-} ]] && keep+=("$name=${!name}")
    done
    sudo env "${keep[@]}" "$@"
}

# The packages of a list that are not installed. Fails where there is no dpkg.
orrery_missing() {
    local installed
    installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' 2>/dev/null | sed -n 's/^ii //p')
    # shellcheck disable=SC2086
    printf '%s\n' $1 | grep -vxF -f <(printf '%s\n' "$installed") | tr '\n' ' '
}

# Explains a failed apt-get from its log.
orrery_explain_apt() {
    local log=$1 errors
    errors=$(grep -E '^(E|W):' "$log")
    if grep -qiE 'no space left|enough free space' "$log"; then
        orrery_fail "Disk full: apt-get has no room for the packages ($(orrery_free_mb /var) MB free on /var). Free some space and run again."
    elif grep -qiE 'could not resolve|temporary failure|unable to connect|network is unreachable|could not connect|connection (failed|timed out|refused)' <<<"$errors"; then
        orrery_fail "No network: apt-get cannot reach Debian's package server. Connect (or set http_proxy and https_proxy) and run again."
    elif grep -qiE 'certificate verif|handshake' <<<"$errors"; then
        orrery_fail "apt-get refuses a certificate: $(grep -iE -m1 'certificate verif|handshake' <<<"$errors"). Add your organisation's certificate to /usr/local/share/ca-certificates, run update-ca-certificates, and run again."
    elif grep -qiE 'could not get lock|is held by process' <<<"$errors"; then
        orrery_fail "apt-get is locked: another program is installing packages. Wait until it has finished and run again."
    fi
    orrery_fail "apt-get failed: $(head -n 1 <<<"$errors") (whole log: $log)"
}

# Installs the packages of a list that are missing; does nothing, fast, when none is.
orrery_install() {
    [[ -n ${ORRERY_SKIP_INSTALL:-} ]] && return
    local missing='' wanted system='' log
    wanted=$(tr -s ' \n' ' ' <<<"$1")
    if command -v dpkg-query >/dev/null; then
        missing=$(orrery_missing "$wanted") || true
        [[ -z ${missing// /} ]] && return
    fi
    if [[ -r /etc/os-release ]]; then
        # shellcheck disable=SC1091
        system=$(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}")
    fi
    if [[ $system != "debian 12" ]]; then
        orrery_fail "Only Debian 12 is set up by this script (this is '${system:-unknown}'). Install by hand, under the names they have here: ${missing:-$wanted}- then run ORRERY_SKIP_INSTALL=1 $ORRERY_SCRIPT"
    fi
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            orrery_fail "Not root, and there is no sudo: packages are missing. Run as root: apt-get install --no-install-recommends $missing"
        if [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; then
            orrery_fail "Not root, and sudo asks for a password without a terminal. Run as root: apt-get install --no-install-recommends $missing"
        fi
    fi
    orrery_need_mb /var 300 "apt-get"
    orrery_say "Installing (a bare system takes about two minutes): $missing"
    log=$(mktemp "${TMPDIR:-/tmp}/orrery-apt.XXXXXX")
    export DEBIAN_FRONTEND=noninteractive
    local options=(-q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
    # A package source of somebody else's may be broken without harm, so only installing counts.
    orrery_as_root apt-get "${options[@]}" update >"$log" 2>&1 </dev/null || true
    # shellcheck disable=SC2086
    orrery_as_root apt-get "${options[@]}" install --no-install-recommends $missing \
        >>"$log" 2>&1 </dev/null || orrery_explain_apt "$log"
    rm -f "$log"
}

# Names who issued the certificate that HOST shows, as well as can be found out.
orrery_issuer() {
    timeout 10 openssl s_client -connect "$1:443" -servername "$1" </dev/null 2>/dev/null |
        openssl x509 -noout -issuer 2>/dev/null | sed 's/^issuer= *//'
}

# Explains a failed pip from its log.
orrery_explain_pip() {
    local log=$1 requirement=$2 host issuer reason
    if grep -qE 'CERTIFICATE_VERIFY_FAILED|SSLError|TLS CA certificate bundle' "$log"; then
        host=$(grep -oE -m1 "host='[^']+'" "$log" | head -n 1 | cut -d"'" -f2)
        reason=$(grep -oE -m1 'certificate verify failed: [^(]+|invalid path: .*' "$log" | head -n 1)
        issuer=${host:+$(orrery_issuer "$host")}
        orrery_fail "pip refuses the certificate of ${host:-its server} (issued by ${issuer:-an unknown authority}; ${reason:-not trusted}). Point SSL_CERT_FILE and PIP_CERT at a bundle that trusts it, for example /etc/ssl/certs/ca-certificates.crt, and run again; with sudo: sudo --preserve-env=SSL_CERT_FILE,PIP_CERT $ORRERY_SCRIPT"
    elif grep -qi 'no space left' "$log"; then
        orrery_fail "Disk full: no room for the wheel of $requirement in $ORRERY_CACHE_DIR ($(orrery_free_mb "$ORRERY_CACHE_DIR") MB free). Free $ORRERY_FETCH_MB MB, or set ORRERY_CACHE to a folder on another disk, and run again."
    elif grep -qiE 'NewConnectionError|name resolution|ConnectTimeout|Connection(Reset|Refused)?Error|ProxyError|ReadTimeout|unreachable' "$log"; then
        orrery_fail "No network: pip cannot fetch $requirement. Connect (or set https_proxy) and run again."
    fi
    orrery_fail "pip cannot fetch $requirement: $(grep -m1 '^ERROR' "$log") (whole log: $log)"
}

# Fetches one wheel into FOLDER and unpacks the named members into FOLDER/tree.
orrery_fetch_wheel() {
    local folder=$1 requirement=$2 sum=$3 log python=/usr/bin/python3 wheel
    shift 3
    log=$(mktemp "${TMPDIR:-/tmp}/orrery-pip.XXXXXX")
    "$python" -m pip --version >/dev/null 2>&1 || python=python3
    mkdir "$folder/wheel"
    # Whatever Python is installed, the same wheel comes.
    if ! PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip download \
        --no-deps --only-binary=:all: --python-version 3.11 --platform manylinux_2_28_x86_64 \
        --platform manylinux_2_27_x86_64 --platform manylinux_2_25_x86_64 \
        --platform manylinux_2_18_x86_64 --platform manylinux2014_x86_64 --no-cache-dir \
        --retries 2 --progress-bar off --dest "$folder/wheel" "$requirement" >"$log" 2>&1 </dev/null
    then
        orrery_explain_pip "$log" "$requirement"
    fi
    rm -f "$log"
    wheel=$(echo "$folder"/wheel/*.whl)
    if ! echo "$sum  $wheel" | sha256sum --check --status; then
        orrery_fail "The wheel of $requirement that pip fetched is not the expected one (SHA-256 $(sha256sum "$wheel" | cut -d' ' -f1), expected $sum). Check the package index that pip is set to use, and run again."
    fi
    if ! unzip -q -o "$wheel" "$@" -d "$folder/tree" >&2; then
        orrery_fail "Disk full or damaged: $requirement cannot be unpacked in $ORRERY_CACHE_DIR ($(orrery_free_mb "$ORRERY_CACHE_DIR") MB free, $ORRERY_FETCH_MB MB wanted). Free some space and run again."
    fi
    rm -rf "$folder/wheel"
}

# orrery_fetch_tree FOLDER MB WHAT WHEEL...: makes a folder of the cache that all checkouts share from
# wheels, unless it is there. Unpacked aside and renamed, so it is there whole or not at all; a lock
# lets the second of two checkouts wait for the first.
orrery_fetch_tree() {
    local folder=$1 what=$3 wheel fields
    ORRERY_FETCH_MB=$2
    shift 3
    [[ $(uname -m) == x86_64 ]] ||
        orrery_fail "The wheel of $what is for x86_64, and this machine is $(uname -m). Use an x86_64 machine."
    mkdir -p "$ORRERY_CACHE_DIR" 2>/dev/null ||
        orrery_fail "The cache folder $ORRERY_CACHE_DIR cannot be made. Set ORRERY_CACHE to a folder that you may write, and run again."
    exec 9>"$ORRERY_CACHE_DIR/lock"
    if ! flock -n 9; then
        orrery_say "Another checkout is fetching into $ORRERY_CACHE_DIR; waiting for it."
        flock 9
    fi
    if [[ ! -e $folder ]]; then
        orrery_need_mb "$ORRERY_CACHE_DIR" "$ORRERY_FETCH_MB" "$what"
        orrery_say "Fetching $what (once for all checkouts) into $ORRERY_CACHE_DIR"
        rm -rf "$ORRERY_CACHE_DIR"/fetch.*
        ORRERY_FETCH=$(mktemp -d "$ORRERY_CACHE_DIR/fetch.XXXXXX")
        trap 'rm -rf "$ORRERY_FETCH"' EXIT
        for wheel in "$@"; do
            set -f
            # shellcheck disable=SC2206
            fields=($wheel)
            set +f
            orrery_fetch_wheel "$ORRERY_FETCH" "${fields[@]}"
        done
        chmod -R a+rX "$ORRERY_FETCH/tree"
        mv -T "$ORRERY_FETCH/tree" "$folder"
        rm -rf "$ORRERY_FETCH"
        trap - EXIT
    fi
    exec 9>&-
}

# LibTorch for the CPU: everything is built with it.
orrery_fetch_torch() {
    local lib=$ORRERY_TORCH_DIR/torch/lib
    [[ -e $lib/libtorch_cpu.so && -e $lib/libc10.so ]] && return
    # Some other thing of this name, or one that somebody took parts of.
    [[ -e $ORRERY_TORCH_DIR ]] && mv -T "$ORRERY_TORCH_DIR" "$ORRERY_TORCH_DIR.broken.$$"
    orrery_fetch_tree "$ORRERY_TORCH_DIR" 1200 "LibTorch 2.11.0 (540 MB)" "${ORRERY_WHEELS[@]}"
    rm -rf "$ORRERY_TORCH_DIR".broken.*
}

# orrery_configure PRESET [OPTION...]: configures, unless it already is for this checkout, these
# presets, this LibTorch and these options.
orrery_configure() {
    local preset=$1 folder="$ORRERY_ROOT/build/$1" stamp log
    shift
    stamp="$ORRERY_ROOT $ORRERY_TORCH_DIR $(cksum <"$ORRERY_ROOT/CMakePresets.json")${*:+ $*}"
    if [[ -e $folder/build.ninja && $(cat "$folder/.configured" 2>/dev/null) == "$stamp" ]]; then
        return
    fi
    if [[ -e $folder/CMakeCache.txt ]]; then
        # A folder that was made for a checkout elsewhere would build that one.
        grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ORRERY_ROOT" "$folder/CMakeCache.txt" || rm -rf "$folder"
    else
        orrery_need_mb "$ORRERY_ROOT" 1500 "the build"
    fi
    orrery_say "Configuring (preset $preset)"
    log=$(mktemp "${TMPDIR:-/tmp}/orrery-cmake.XXXXXX")
    if ! (cd "$ORRERY_ROOT" && cmake --preset "$preset" -DORRERY_TORCH_DIR="$ORRERY_TORCH_DIR" "$@") >"$log" 2>&1
    then
        cat "$log" >&2
        orrery_fail "CMake could not configure the preset $preset: see above."
    fi
    rm -f "$log"
    printf '%s\n' "$stamp" >"$folder/.configured"
}

# How many compilers at once: one a core, and 1.5 GB of memory each.
orrery_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null)
    [[ -n $memory ]] && ((memory < cores)) && cores=$((memory > 0 ? memory : 1))
    echo "$cores"
}

# orrery_build PRESET [TARGET...]: says nothing when all is built.
orrery_build() {
    local folder="$ORRERY_ROOT/build/$1"
    shift
    if ninja -C "$folder" -n "$@" 2>/dev/null | grep -q 'no work to do'; then return; fi
    orrery_say "Building in $folder ($(orrery_jobs) at a time; later builds only redo what changed)"
    if ! NINJA_STATUS='[%f/%t %es] ' ninja -C "$folder" -j "$(orrery_jobs)" "$@" >&2 </dev/null; then
        if (($(orrery_free_mb "$folder") < 100)); then
            orrery_fail "Disk full: the build stopped with $(orrery_free_mb "$folder") MB free on $folder. Free some space and run again."
        fi
        orrery_say "The build failed: see the first line with FAILED above."
        exit 1
    fi
}

# What Qt wants of its surroundings: a UTF-8 locale and a private runtime folder.
orrery_environment() {
    if [[ $(locale charmap 2>/dev/null) != UTF-8 ]]; then export LC_ALL=C.UTF-8; fi
    if [[ ! -d ${XDG_RUNTIME_DIR:-} || ! -O ${XDG_RUNTIME_DIR:-} ]]; then
        XDG_RUNTIME_DIR="${TMPDIR:-/tmp}/orrery-runtime-$EUID"
        mkdir "$XDG_RUNTIME_DIR" 2>/dev/null || true
        [[ -O $XDG_RUNTIME_DIR ]] || XDG_RUNTIME_DIR=$(mktemp -d "$XDG_RUNTIME_DIR.XXXXXX")
        chmod 0700 "$XDG_RUNTIME_DIR"
        export XDG_RUNTIME_DIR
    fi
}

# orrery_suite BUILD [ctest argument...]: runs the tests of a build folder, which see a home of their own,
# no display but Xvfb's, and nobody's settings.
orrery_suite() (
    folder=$1
    shift
    home=$(mktemp -d "${TMPDIR:-/tmp}/orrery-test.XXXXXX")
    trap 'rm -rf "$home"' EXIT
    mkdir -m 0700 "$home/runtime"
    export XDG_RUNTIME_DIR="$home/runtime" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" \
        XDG_STATE_HOME="$home/state"
    unset DISPLAY WAYLAND_DISPLAY XDG_SESSION_TYPE QT_QPA_PLATFORM QT_QPA_PLATFORMTHEME QT_STYLE_OVERRIDE
    ctest --test-dir "$folder" --output-on-failure --no-label-summary --no-tests=error \
        --parallel "$(nproc)" "$@" </dev/null
)

# One build at a time in a checkout; the lock ends with orrery_unlock or the script.
orrery_lock() {
    mkdir -p "$ORRERY_ROOT/build" 2>/dev/null ||
        orrery_fail "The folder $ORRERY_ROOT/build cannot be made. Make the checkout writable and run again."
    exec 8>"$ORRERY_ROOT/build/.lock"
    if ! flock -n 8; then
        orrery_say "Another build is running in this checkout; waiting for it."
        flock 8
    fi
}
orrery_unlock() { exec 8>&-; }
