# SPDX-License-Identifier: Apache-2.0
# Builds and runs the fuzz targets; sourced by scripts/fuzz and scripts/coverage.

# build_fuzz FOLDER FLAGS...: builds the targets in a folder of their own, and sets `fuzz` to the program.
build_fuzz() {
  local scratch=$1
  shift
  local flags=(--package-path Fuzz --scratch-path "$scratch" -c release -Xswiftc -sanitize=fuzzer "$@")
  # Debian's gold cannot link objects built with the sanitizer.
  [[ $(uname -s) == Linux ]] && flags+=(-Xswiftc -use-ld=lld)
  # SwiftPM detects new files in the package that it builds, not in its dependencies.
  touch Fuzz/Package.swift
  swift build "${flags[@]}" --product fuzz
  fuzz=$(swift build "${flags[@]}" --show-bin-path)/fuzz
}

# Without this, Swift prints its own crash report instead of letting libFuzzer save the input.
export SWIFT_BACKTRACE=enable=no
# The same seed must give the same inputs.
export SWIFT_DETERMINISTIC_HASHING=1

# Folders of seeds for a target: its own, or those of the formats that it reads.
seeds() {
  local formats=("$1") format kind
  case $1 in
    development) formats+=(dng) ;;
    edits | fixes) formats+=(heif jpeg png) ;;
    inventory | remux) formats+=(heif jpeg jpegxl) ;;
    samples | validation) formats+=(heif jpeg jpegxl png exr radiance tiff) ;;
    conversion | creation) formats+=(dng heif jpeg jpegxl png exr radiance tiff) ;;
    inspection) formats+=(cr3 dng heif jpeg jpegxl jpegxr png exr radiance tiff) ;;
    transcoding) formats+=(heif jpeg) ;;
  esac
  for format in "${formats[@]}"; do
    for kind in Seeds Regressions; do
      [[ -d Fuzz/$kind/$format ]] && printf '%s\n' "Fuzz/$kind/$format"
    done
  done
}

# Files of the corpus that a target reads, as links in a separate folder.
corpus() {
  local corpus=${HDR_CORPUS:-../shared/corpus} names=() name malformed=$1
  [[ -d $corpus ]] || return 0
  case $1 in
    edits | fixes | remux | validation) names=(heic hif avif jpg png) malformed=* ;;
    samples) names=(heic hif avif jpg jxl png tif exr hdr) malformed=* ;;
    conversion | creation) names=(heic hif avif jpg jxl png tif exr hdr dng) malformed=* ;;
    cr3) names=(cr3) ;;
    inspection) names=(heic hif avif jpg jxl png tif exr hdr dng cr3 cr2 nef arw pef) malformed=* ;;
    transcoding) names=(heic hif avif jpg) malformed=* ;;
    heif) names=(heic hif avif) ;;
    inventory) names=(heic avif jpg jxl) malformed=* ;;
    jpeg) names=(jpg) ;;
    jpegxl) names=(jxl) malformed=jxl ;;
    jpegxr) names=(jxr) ;;
    png) names=(png) ;;
    radiance) names=(hdr) malformed=hdr ;;
    exr) names=(exr) ;;
    development) names=(dng cr2 nef arw pef cr3) ;;
    dng) names=(dng) ;;
    exif | tiff) names=(tif dng) ;;
  esac
  ((${#names[@]} == 0)) && return
  mkdir -p "$2"
  for name in "${names[@]}"; do
    find "$(cd "$corpus" && pwd)" -name "*.$name" -size -512k -exec ln -sf {} "$2" \;
  done
  find "$(cd "$corpus" && pwd)" -path "*/malformed-$malformed/*" -type f -size -512k -exec ln -sf {} "$2" \;
  printf '%s\n' "$2"
}

# run TARGET FOLDER OPTIONS...: libFuzzer writes new corpus files and findings to FOLDER.
run() {
  local target=$1 folder=$2 folders=() line
  shift 2
  mkdir -p "$folder/learned" "$folder/found"
  while read -r line; do folders+=("$line"); done < <(seeds "$target")
  [[ -n ${with_corpus-} ]] &&
    while read -r line; do folders+=("$line"); done < <(corpus "$target" "$folder/corpus")
  "$fuzz" "$target" -timeout=10 -rss_limit_mb=512 -artifact_prefix="$folder/found/" \
    -print_final_stats=1 "$@" "$folder/learned" "${folders[@]}"
}
