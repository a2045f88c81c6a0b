# SPDX-License-Identifier: Apache-2.0
# Shared by quickstart, test, interop and benchmark: finds the toolchain, installs missing packages, times stages.
# Sourced, not run. Compatible with bash 3.2, the version in macOS.

# SwiftPM passes the traits of a package to the compiler in the order of a hashed set. With hashes that differ from
# process to process, every call would compile everything again.
export SWIFT_DETERMINISTIC_HASHING=1

# Packages for building with codecs, which have these names in Debian 12 and 13 and in Ubuntu 24.04 and later; and
# additional ones for the unit tests, for scripts/interop, for all of `scripts/test --all`, and for scripts/benchmark.
debian_build=(
  libheif-dev libde265-dev libaom-dev libdav1d-dev libpng-dev liblcms2-dev libjpeg-dev libtiff-dev libopenexr-dev libraw-dev
  libjxl-dev libjxr-dev libdeflate-dev libisal-dev libbrotli-dev zlib1g-dev pkg-config
)
debian_test=(python3 python3-venv)
debian_interop=(libimage-exiftool-perl libheif-examples libavif-bin libjpeg-turbo-progs libjxl-tools libjxr-tools groff procps valgrind)
debian_test_all=("${debian_interop[@]}" parallel slurm-wlm munge)
debian_benchmark=(ffmpeg)
# libheif of Debian 12 is linked to its codecs; later ones load plugins, of which libheif-dev requires the decoders.
debian_build_plugins=(libheif-plugin-x265)
# Ubuntu has Chromium as a snap only.
debian_test_all_browser=(chromium)
brew_build=(libheif libde265 aom dav1d libpng libdeflate isa-l little-cms2 jpeg-turbo libtiff openexr libraw jpeg-xl jxrlib brotli pkgconf)
brew_test=(python@3.12)
brew_interop=(exiftool)
brew_test_all=(exiftool)
brew_benchmark=(ffmpeg)

# Options of `swift build` and `swift package`, such as --disable-sandbox inside another sandbox.
read -r -a swift_options <<<"${SWIFT_OPTIONS-}"

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# print_help ARGUMENTS...: with --help among them, prints the comment at the top of the script, and ends it.
print_help() {
  [[ " $* " == *" --help "* ]] || return 0
  cat {scripts,Tools}/"$(basename "$0")" 2>/dev/null |
    awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }'
  exit 0
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

# packages_for KIND...: sets `packages` to those for builds, and for kinds of use: test, interop, test_all, benchmark.
packages_for() {
  local kind list system=debian
  packages=()
  [[ $(uname -s) != Darwin ]] || system=brew
  for kind in build "$@"; do
    for list in "${system}_$kind" "${system}_${kind}_plugins" "${system}_${kind}_browser"; do
      [[ $list != *_plugins ]] || has_codec_plugins || continue
      [[ $list != *_browser || $(distribution) == debian* ]] || continue
      declare -p "$list" >/dev/null 2>&1 || continue
      list="$list[@]"
      packages+=("${!list}")
    done
  done
}

# distribution: the name and version of this system, such as debian12, ubuntu24.04 or macos26.
distribution() {
  if [[ $(uname -s) == Darwin ]]; then
    printf 'macos%s\n' "$(sw_vers -productVersion | sed 's/\..*//')"
  else
    (. /etc/os-release && printf '%s%s\n' "$ID" "${VERSION_ID-}")
  fi
}

has_codec_plugins() {
  [[ $(uname -s) != Darwin && $(distribution) != debian12 ]]
}

# The mirror of this machine.
mirror() {
  local found
  found=$(. /etc/os-release && apt-get indextargets --format '$(REPO_URI)' "Release: $VERSION_CODENAME" | awk 'NR == 1')
  printf '%s\n' "${found:-http://deb.debian.org/debian}"
}

# copy_apt_configuration SYSTEM: what apt needs to reach the mirror from a system made by debootstrap.
copy_apt_configuration() {
  apt-config dump | grep -E '^Acquire::(https?|Check)' >"$1/etc/apt/apt.conf.d/00host" || true
  for file in /etc/resolv.conf /etc/hosts; do
    [[ ! -e $file ]] || cp -L "$file" "$1$file"
  done
}

# install_packages KIND...: installs what is missing of them.
install_packages() {
  local packages
  packages_for "$@"
  if [[ $(uname -s) == Darwin ]]; then
    install_with_brew "${packages[@]}"
  else
    install_with_apt "${packages[@]}"
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

# missing_packages NAME...: sets `missing` to those that are not installed.
missing_packages() {
  local name
  missing=()
  command -v dpkg-query >/dev/null ||
    fail "packages are installed on Debian, Ubuntu and macOS only; install by hand: $*"
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
  done
}

# find_root REASON: sets `as_root`, the words before a command that needs root; fails with the reason without root.
find_root() {
  as_root=()
  [[ $(id -u) != 0 ]] || return 0
  command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; } || fail "$1"
  as_root=(sudo)
}

# Reads the lists of packages, unless that fails: packages may be installable from lists of an earlier time.
update_lists() {
  local log
  log=$(mktemp)
  ${as_root[@]+"${as_root[@]}"} apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any update \
    >"$log" 2>&1 || printf 'apt-get cannot update its lists; is there a network? %s\n' "$(grep -m 1 '^[EW]:' "$log" || tail -n 1 "$log")" >&2
  rm -f "$log"
}

# enabled_services [SYSTEM]: services, sockets and timers that start with the system, except for those of systemd itself.
enabled_services() {
  # Links of disabled services begin with K.
  { find "${1-}"/etc/systemd/system/*.wants "${1-}"/etc/rc[2-5].d \( -type l -o -type f \) ! -path '*/rc?.d/K*' || true; } 2>/dev/null |
    sed -E 's|.*/||; s|^S[0-9]+||; s|\.service$||' | sort -u |
    { grep -vE '@|^(README|systemd-.*)$' || true; }
}

# disable_services NAME...: those of packages that were installed now.
disable_services() {
  local name unit
  for name in "$@"; do
    printf 'Disabling the service %s\n' "$name"
    [[ $name == *.* ]] && unit=$name || unit=$name.service
    if command -v systemctl >/dev/null; then
      ${as_root[@]+"${as_root[@]}"} systemctl --quiet disable "$unit" 2>/dev/null || true
    else
      # Packages make these links without systemd as well.
      ${as_root[@]+"${as_root[@]}"} rm -f /etc/systemd/system/*.wants/"$unit"
    fi
    [[ $name == *.* ]] || ${as_root[@]+"${as_root[@]}"} update-rc.d "$name" disable 2>/dev/null || true
  done
}

# A subshell, for its trap. Services of packages are neither started nor left enabled.
install_with_apt() (
  missing_packages "$@"
  ((${#missing[@]} > 0)) || exit 0
  find_root "needs root or sudo for: apt-get install --no-install-recommends ${missing[*]}"
  printf 'Installing with apt-get: %s\n' "${missing[*]}"
  log=$(mktemp)
  update_lists
  enabled=$(enabled_services)
  policy=/usr/sbin/policy-rc.d
  trap 'disable_services $(comm -13 <(printf "%s\n" "$enabled") <(enabled_services)); [[ -z $made ]] || ${as_root[@]+"${as_root[@]}"} rm -f "$policy"' EXIT
  made=
  if [[ ! -e $policy ]]; then
    made=yes
    ${as_root[@]+"${as_root[@]}"} sh -c "printf '#!/bin/sh\\nexit 101\\n' >$policy && chmod 755 $policy"
  fi
  if ! ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
    install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    fail "apt-get could not install ${missing[*]}: $(grep '^E:' "$log" | tail -n 1 || true) [$log]"
  fi
  rm -f "$log"
)

# make_folders FOLDER...: makes those that are missing; those that exist keep their modes. Fails if one is not writable.
make_folders() {
  local folder
  for folder in "$@"; do
    [[ -d $folder ]] || install -d "$folder" 2>/dev/null || fail "cannot create $folder; for another folder: --prefix DIR, such as ~/.local"
    [[ -w $folder ]] || fail "cannot write to $folder; for another folder: --prefix DIR, such as ~/.local"
  done
}

# release_build: sets `build`, the command that builds products as they are installed, and `small`, linker flags that
# make them smaller. Products share objects, since only linker flags differ.
release_build() {
  build=(swift build ${swift_options[@]+"${swift_options[@]}"} -c release)
  small=()
  # macOS has the Swift runtime.
  [[ $(uname -s) != Darwin ]] || return 0
  # SwiftPM passes the choice of the runtime to the compiler, but not to the linker of a library. Products
  # contain the runtime, so that they do not need a RUNPATH of $ORIGIN.
  build+=(
    --static-swift-stdlib -Xswiftc -static-stdlib -Xswiftc -use-ld=lld --disable-local-rpath
    -Xswiftc -Xfrontend -Xswiftc -function-sections
    # Generic types are made by their functions: from names, the runtime searches all conformances for each.
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
  )
  small=(-Xlinker --icf=all)
}

# Swift packages are downloaded once; a failure is reported with its reason.
fetch_swift_packages() {
  local log
  log=$(mktemp)
  swift package ${swift_options[@]+"${swift_options[@]}"} resolve >"$log" 2>&1 ||
    fail "cannot fetch the Swift packages; is there a network? $(grep -m 1 'error:' "$log" || tail -n 1 "$log") [$log]"
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
    fail "cannot install the wheels of ${lists[*]}; is there a network? $(grep -m 1 '^ERROR' "$log" || tail -n 1 "$log") [$log]"
  fi
  cat "${lists[@]}" >.venv/requirements.txt
  rm -f "$log"
}

# stage NAME COMMAND...: runs a command and prints its duration.
stage() {
  local name=$1 start=$SECONDS status
  shift
  printf '== %s\n' "$name"
  # In the condition `"$@" || fail`, bash would ignore that a command of a function fails.
  set +e
  (set -e; "$@")
  status=$?
  set -e
  ((status == 0)) || fail "failed: $name ($*)"
  printf '== %s: %d s\n' "$name" "$((SECONDS - start))"
}
