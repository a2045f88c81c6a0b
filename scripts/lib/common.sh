# SPDX-License-Identifier: Apache-2.0
# Shared by quickstart, test, interop and benchmark: finds the toolchain, installs missing packages, times stages.
# Sourced, not run. Compatible with bash 3.2, the version in macOS.

# SwiftPM passes the traits of a package to the compiler in the order of a hashed set. With hashes that differ from
# process to process, every call would compile everything again.
export SWIFT_DETERMINISTIC_HASHING=1

# Packages for building with codecs, and additional ones for the tests, scripts/interop and
# scripts/benchmark.
debian_build=(
  libheif-dev libde265-dev libavif-dev libpng-dev liblcms2-dev libjpeg62-turbo-dev libtiff-dev
  libopenexr-dev libraw-dev libjxl-dev libdeflate-dev libisal-dev libbrotli-dev zlib1g-dev pkg-config
)
# What an installed command requires at run time; the Dockerfile has the same list.
debian_runtime=(
  libheif1 libde265-0 libavif15 libpng16-16 libdeflate0 libisal2 liblcms2-2 libjpeg62-turbo libtiff6
  libopenexr-3-1-30 libimath-3-1-29 libraw20 libjxl0.7 libbrotli1 zlib1g
)
debian_tests=(
  libimage-exiftool-perl libheif-examples libavif-bin libjpeg-turbo-progs chromium groff python3
  python3-venv parallel slurm-wlm munge procps libjxl-tools
)
debian_benchmark=(ffmpeg)
brew_build=(libheif libde265 libavif libpng libdeflate isa-l little-cms2 jpeg-turbo libtiff openexr libraw jpeg-xl brotli pkgconf)
brew_tests=(exiftool python@3.12)
brew_benchmark=(ffmpeg)

# Options of `swift build` and `swift package`, such as --disable-sandbox inside another sandbox.
read -r -a swift_options <<<"${SWIFT_OPTIONS-}"

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# The toolchain must support the package format version in Package.swift.
require_swift() {
  local found version
  command -v swift >/dev/null ||
    fail "no Swift toolchain on the PATH; install Swift 6.2 or later: https://www.swift.org/install"
  found=$(swift --version 2>&1) || fail "swift --version fails; is the toolchain complete? $found"
  version=$(sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' <<<"$found" | head -n 1)
  [[ -n $version ]] || fail "cannot tell the version of this Swift toolchain: $found"
  if ((${version%.*} < 6 || (${version%.*} == 6 && ${version#*.} < 2))); then
    fail "Swift $version is too old; install Swift 6.2 or later: https://www.swift.org/install"
  fi
}

# install_packages: packages for a build. install_packages tests benchmark: also those for tests and benchmark.
install_packages() {
  if [[ $(uname -s) == Darwin ]]; then
    local names=("${brew_build[@]}")
    [[ " $* " == *" tests "* ]] && names+=("${brew_tests[@]}")
    [[ " $* " == *" benchmark "* ]] && names+=("${brew_benchmark[@]}")
    install_with_brew "${names[@]}"
  else
    local names=("${debian_build[@]}")
    [[ " $* " == *" tests "* ]] && names+=("${debian_tests[@]}")
    [[ " $* " == *" benchmark "* ]] && names+=("${debian_benchmark[@]}")
    install_with_apt "${names[@]}"
  fi
}

install_with_brew() {
  local installed missing=() name
  command -v brew >/dev/null || fail "no Homebrew on the PATH; it installs the codecs: https://brew.sh"
  installed=$(brew list --formula -1)
  for name in "$@"; do
    grep -qxF -- "$name" <<<"$installed" || missing+=("$name")
  done
  ((${#missing[@]} == 0)) && return
  printf 'Installing with brew: %s\n' "${missing[*]}"
  brew install --quiet "${missing[@]}" || fail "brew could not install: ${missing[*]}"
}

install_with_apt() {
  local missing=() name as_root=() log
  command -v dpkg-query >/dev/null ||
    fail "packages are installed on Debian and macOS only; here, install the codecs by hand: $*"
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] ||
      missing+=("$name")
  done
  ((${#missing[@]} == 0)) && return
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null ||
      fail "needs root or sudo to install these packages: ${missing[*]}"
    as_root=(sudo)
  fi
  printf 'Installing with apt-get: %s\n' "${missing[*]}"
  log=$(mktemp)
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  if ! { "${as_root[@]}" update && "${as_root[@]}" install -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1; then
    fail "apt-get could not install ${missing[*]}: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log") [$log]"
  fi
  rm -f "$log"
}

# release_build PRODUCT: sets `build`, the command that builds a product as it is installed, and `small`, linker
# flags that make it smaller. Products share objects, since only linker flags differ.
release_build() {
  export HDRCONVERT_SMALL=1
  build=(swift build ${swift_options[@]+"${swift_options[@]}"} -c release --product "$1")
  small=()
  # macOS has the Swift runtime.
  [[ $(uname -s) != Darwin ]] || return 0
  # SwiftPM passes the choice of the runtime to the compiler, but not to the linker of a library. Products
  # contain the runtime, so that they do not need a RUNPATH of $ORIGIN.
  build+=(
    --static-swift-stdlib -Xswiftc -static-stdlib -Xswiftc -use-ld=lld --disable-local-rpath
    -Xswiftc -Xfrontend -Xswiftc -function-sections
  )
  small=(-Xlinker --icf=all)
}

# Swift packages are downloaded once; a failure is reported with its reason.
fetch_swift_packages() {
  local log
  log=$(mktemp)
  swift package ${swift_options[@]+"${swift_options[@]}"} resolve >"$log" 2>&1 ||
    fail "cannot fetch the Swift packages: $(grep -m 1 'error:' "$log" || tail -n 1 "$log") [$log]"
  rm -f "$log"
}

# The pinned wheels need Python 3.11.
find_python() {
  local candidate
  for candidate in "${PYTHON-}" /usr/bin/python3 python3 python3.13 python3.12 python3.11; do
    [[ -n $candidate ]] || continue
    "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
      2>/dev/null || continue
    printf '%s\n' "$candidate"
    return
  done
  fail "needs Python 3.11 or later with its venv module"
}

# make_environment PYTHON [LIST...]: rebuilds .venv whenever the lists of wheels have changed: that of
# scripts/interop, and others, whose wheels may remain installed if they are not requested. pyvips is built
# from source: it is a thin layer over pyvips-binary, which is a wheel.
make_environment() {
  local python=$1 lists=(scripts/interop.d/requirements.txt "${@:2}") options=() name log
  cat "${lists[@]}" | cmp -s -n "$(cat "${lists[@]}" | wc -c)" - .venv/requirements.txt && return
  for name in "${lists[@]}"; do options+=(-r "$name"); done
  log=$(mktemp)
  rm -rf .venv
  if ! { "$python" -m venv .venv && .venv/bin/python -m pip install -q --disable-pip-version-check \
    --only-binary :all: --no-binary pyvips "${options[@]}"; } >"$log" 2>&1; then
    rm -rf .venv
    fail "cannot install the wheels of ${lists[*]}: $(tail -n 1 "$log") [$log]"
  fi
  cat "${lists[@]}" >.venv/requirements.txt
  rm -f "$log"
}

# stage NAME COMMAND...: runs a command and prints its duration.
stage() {
  local name=$1 start=$SECONDS
  shift
  printf '== %s\n' "$name"
  "$@" || fail "failed: $name ($*)"
  printf '== %s: %d s\n' "$name" "$((SECONDS - start))"
}
