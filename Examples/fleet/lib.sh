# SPDX-License-Identifier: Apache-2.0
# Shared by the examples: makes images, converts them on one machine for comparison, and verifies a distributed run.
# Sourced with `set -euo pipefail`. HDRCONVERT names the command; IMAGES the number of images (default 200).

if [[ " $* " == *" --help "* ]]; then
  sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
  exit
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
hdrconvert=${HDRCONVERT:-$(command -v hdrconvert || echo "$root/.build/release/hdrconvert")}
images=${IMAGES:-200}
work=$(mktemp -d)

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

[[ -x $hdrconvert ]] || fail "no command; run scripts/install, or set HDRCONVERT"

# What each worker runs. The options are part of the key by which a journal knows what is done.
job=(--to avif --speed 10 --quality 60 --jobs 1 --quiet)

# Writes $images different images into folders of twenty below $work/in, and their paths to $work/list.
make_images() {
  local index folder
  for ((index = 0; index < images; index++)); do
    folder=$work/in/set-$((index / 20))
    mkdir -p "$folder"
    printf '%s\n' "$folder/image-$index.png"
  done >"$work/list"
  xargs -P 2 -a "$work/list" -I{} bash -c '
    index=${1##*-}; index=${index%.png}
    "$2" convert "$3/reference-images/photo.exr" -o "$1" --speed 10 --quiet \
      --crop "$((index * 3 % 600)),$((index % 380)),160,120"' _ {} "$hdrconvert" "$root"
}

# The same conversion by one command on this machine.
convert_on_one_machine() {
  "$hdrconvert" -r "$work/in" --out-dir "$work/expected" --to avif --speed 10 --quality 60 --quiet
}

# The outputs are those of one machine, and the journals name each input exactly once.
verify() {
  diff -r "$work/expected" "$work/out" || fail "the outputs differ from those of one machine"
  "$hdrconvert" journal "$work"/journals/*.journal --expect "$work/list"
  rm -rf "$work"
  printf '%s: %d images, all as on one machine\n' "$(basename "$(dirname "$0")")" "$images"
}

# Prints the process of one command that converts: only it has its journal open, not the processes that read files.
converting_command() {
  find /proc/[0-9]*/fd -lname "$work/journals/*.journal" 2>/dev/null | head -n 1 | cut -d / -f 3
}

# Kills one command that converts (SIGKILL), as soon as the journals have lines: a lost worker.
lose_a_worker() {
  local lines pid="" candidate attempt
  for ((attempt = 0; attempt < 15000; attempt++)); do
    lines=$( (cat "$work"/journals/*.journal 2>/dev/null || true) | wc -l)
    # A process that is starting another one shares its files with it for a moment.
    candidate=$pid
    pid=$(converting_command || true)
    if ((lines >= images / 10)) && [[ -n $pid && $pid == "$candidate" ]] && kill -KILL "$pid" 2>/dev/null; then
      printf 'lost a worker: process %d\n' "$pid"
      return
    fi
    sleep 0.02
  done
  fail "no worker was lost"
}
