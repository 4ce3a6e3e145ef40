# What the scripts beside it share: a server of our own in a temporary directory, and where tools are installed.
# shellcheck shell=bash

# The tree these scripts belong to, and where they install what they need.
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/readstone-conformance

# Something that is needed could not be installed: exit code 3, so that nobody takes it for a failure.
cannot_install() {
  echo "not run: $1 could not be installed (no network?)" >&2
  [ ! -s "$work/install.log" ] || tail -n 5 "$work/install.log" >&2
  exit 3
}

# Installs into a folder of the cache unless it is there: FOLDER COMMAND..., where the command gets a folder to fill. A
# folder in the cache is whole: it gets its name when the command has succeeded.
install_once() {
  local folder=$cache/$1 fresh
  shift
  [ ! -d "$folder" ] || return 0
  mkdir -p "$cache"
  fresh=$(mktemp -d "$cache/fresh.XXXXXX")
  if ! "$@" "$fresh" >"$work/install.log" 2>&1; then
    rm -rf "$fresh"
    return 1
  fi
  # Another run may have been quicker; its result is as good.
  mv -T "$fresh" "$folder" 2>/dev/null || rm -rf "$fresh"
  [ -d "$folder" ]
}

# Finds the program: the one that is given, or a fresh build of this tree. Sets `program`.
find_program() {
  if [ -n "${1:-}" ]; then
    program=$(realpath "$1")
  else
    (cd "$tree" && cargo build --release --locked --quiet --package readstone)
    program=$(cd "$tree" && realpath -m "${CARGO_TARGET_DIR:-target}/release/readstone")
  fi
  [ -x "$program" ] || { echo "there is no program at $program" >&2; exit 1; }
}

# Runs a program of the test kit: NAME ARGUMENT... It is built from this tree, unless TESTKIT_PROGRAMS names a folder that has it.
test_kit() {
  cd "$tree"
  if [ -n "${TESTKIT_PROGRAMS:-}" ]; then
    "$TESTKIT_PROGRAMS/$1" "${@:2}"
  else
    cargo run --quiet --locked --package readstone-testkit --bin "$1" -- "${@:2}"
  fi
}

# Makes the directory to work in and sees to it that it goes, and the server with it, however the script ends.
start_work() {
  work=$(mktemp -d)
  server=
  trap end_work EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

end_work() {
  stop_server
  rm -rf "$work"
}

# Files to be read: a few kinds of text, a tree, and one that is no text. Sets `files`.
make_files() {
  files=$work/files
  mkdir -p "$files/src/deep"
  printf 'one\ntwo\nthree\n' >"$files/notes.txt"
  printf 'fn main() {}\n' >"$files/src/main.rs"
  printf 'caf\xe9\r\nna\xefve\r\n' >"$files/src/deep/latin.txt"
  seq 1 5000 >"$files/numbers.log"
  printf '\x7fELF\x00\x01\x02\x03' >"$files/blob.bin"
  : >"$files/empty"
}

# Serves the files on a free port, apart from the settings of whoever runs this. Sets `url`.
start_server() {
  # Emptied here, not by the redirection below, which happens when the other process gets to it.
  : >"$work/server.out"
  env -i PATH="$PATH" HOME="$work/home" "$program" serve --ephemeral --listen 127.0.0.1:0 --root "$files" "$@" \
    >"$work/server.out" 2>"$work/server.log" &
  server=$!
  for _ in $(seq 1 100); do
    url=$(sed -n 's/^listening on //p' "$work/server.out")
    [ -z "$url" ] || return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  echo "the server did not start:" >&2
  tail -n 20 "$work/server.log" >&2
  exit 1
}

# Ends the server, by force when it does not listen.
stop_server() {
  [ -n "$server" ] || return 0
  kill -TERM "$server" 2>/dev/null || true
  for _ in $(seq 1 100); do
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=
}

# Whether the server still runs; whatever a client sends must not end it.
server_lives() {
  kill -0 "$server" 2>/dev/null && return 0
  echo "the server ended meanwhile:" >&2
  tail -n 20 "$work/server.log" >&2
  return 1
}
