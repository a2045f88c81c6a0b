# SPDX-License-Identifier: Apache-2.0
# Codec libraries that a program loads on first use; sourced by scripts/install.

# Names for the linker of the libraries that take the time to load: all but small ones. The interfaces that are used
# have functions only.
lazy_libraries=(heif de265 avif jxl tiff raw_r)

# make_lazy_libraries FOLDER: a static library for each, with the functions that the shared library exports, which
# takes its place in programs that are linked afterwards.
make_lazy_libraries() {
  local name file soname
  mkdir -p "$1/pkgconfig"
  for name in "${lazy_libraries[@]}"; do
    file=$(clang -print-file-name="lib$name.so")
    [[ $file == /* ]] || fail "lib$name.so is not installed"
    soname=$(objdump -p "$file" | awk '$1 == "SONAME" { print $2 }')
    # Names with a version have it after @@; data and names of C++ that depend on the compiler are left out.
    nm -D --defined-only "$file" |
      awk '$2 ~ /^[TW]$/ && $3 !~ /^(_init|_fini)(@|$)|^_ZNK?S|^_ZS|^_ZN9__gnu_cxx/ { sub(/@.*/, "", $3); print $3 }' |
      sort -u | awk '{ printf "FUNCTION(%d, %s)\n", NR - 1, $1 }' >"$1/$name.functions"
    clang -O2 -fPIC -c scripts/library.d/lazy.c -o "$1/$name.o" -DNAME="$name" -DLIBRARY="\"$soname\"" \
      -DFUNCTIONS="\"$1/$name.functions\"" -DCOUNT="$(wc -l <"$1/$name.functions")"
    ar rcs "$1/lib$name.a" "$1/$name.o"
  done
  # SwiftPM passes folders of libraries to the linker from pkg-config only, and those come first.
  for file in $(sed -nE 's/.*(pkgConfig|linux): "([^"]+)".*/\2/p' Package.swift); do
    FOLDER=${1// /\\ } awk '/^Libs:/ { $0 = "Libs: -L" ENVIRON["FOLDER"] substr($0, 6) } { print }' "$(pkg-config --path "$file")" \
      >"$1/pkgconfig/$file.pc"
  done
  export PKG_CONFIG_PATH=$1/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
}

# list_requirements PROGRAM FOLDER: makes FOLDER/required.so, for tools that list the libraries of a program and their
# versions: it requires the libraries above, and those functions of them that objects of the program call.
list_requirements() {
  find "$(dirname "$1")" -path '*.build/*' -name '*.o' -exec nm -u {} + | awk 'NF == 2 { print $2 }' | sort -u >"$2/called"
  sed -nE 's/^FUNCTION\([0-9]+, (.*)\)$/\1/p' "$2"/*.functions | sort -u | comm -12 - "$2/called" |
    awk 'BEGIN { print ".data" } { print ".8byte " $1 }' >"$2/required.s"
  clang -shared -o "$2/required.so" "$2/required.s" -Wl,--no-as-needed "${lazy_libraries[@]/#/-l}"
}

# runtime_packages PROGRAM...: prints the packages of the libraries that programs require themselves, and of the
# plugin by which libheif encodes.
runtime_packages() {
  local needed
  needed=$(objdump -p "$@" | awk '$1 == "NEEDED" { print $2 }' | sort -u)
  # Packages may contain the name of a library in /lib or /usr/lib.
  ldd "$@" | awk '$2 == "=>" { print $1, $3 }' | sort -u | grep -wF -- "$needed" | sed -E 's|.*(/[^/]+/[^/]+)$|*\1|' |
    xargs dpkg-query -S | sed 's/:.*//' | sort -u
  ! has_codec_plugins || printf '%s\n' "${debian_build_plugins[@]}"
}

# check_lazy_libraries PROGRAM: fails if the program loads one of them at its start.
check_lazy_libraries() {
  local name required
  required=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }')
  for name in "${lazy_libraries[@]}"; do
    ! grep -q "^lib$name\.so" <<<"$required" || fail "$1 requires lib$name when it starts"
  done
}
