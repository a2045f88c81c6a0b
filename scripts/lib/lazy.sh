# SPDX-License-Identifier: Apache-2.0
# Codec libraries that a program loads on first use; sourced by scripts/install.

# Names for the linker of the libraries that take the time to load: all but small ones. The interfaces that are used
# have functions only.
lazy_libraries=(heif de265 avif jxl tiff raw_r)

# make_lazy_libraries FOLDER: a static library for each, with the functions that the shared library exports, which
# takes its place in programs that are linked afterwards. The file required.so in the same folder requires all of
# them, for tools that list what a program requires.
make_lazy_libraries() {
  local name file soname
  mkdir -p "$1/pkgconfig"
  clang -shared -o "$1/required.so" -Wl,--no-as-needed "${lazy_libraries[@]/#/-l}"
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
    sed "s|^Libs:|Libs: -L$1|" "$(pkg-config --path "$file")" >"$1/pkgconfig/$file.pc"
  done
  export PKG_CONFIG_PATH=$1/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
}

# check_lazy_libraries PROGRAM: fails if the program loads one of them at its start.
check_lazy_libraries() {
  local name required
  required=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }')
  for name in "${lazy_libraries[@]}"; do
    ! grep -q "^lib$name\.so" <<<"$required" || fail "$1 requires lib$name when it starts"
  done
}
