#!/usr/bin/env bash
# A page of shell with one of each thing that can be declared.
set -euo pipefail

readonly MOST=12
declare -A names
export PATH="$PATH:/opt/bin"
count=0

# Words, by their number.
words=(
  one
  two
)

# Says how it is used.
usage() {
  cat <<EOF
usage: sample [-v] NAME
  function not_this() {
EOF
}

function take {
  local name=$1
  count=$((count + 1))
  if [[ $name == one ]]; then
    echo 1
  elif [[ $name == two ]]; then
    echo 2
  else
    echo 3
  fi
}

function both()
{
  for word in "${words[@]}"; do
    while read -r line; do
      echo "$line"
    done < "$word"
  done
  for ((i = 0; i < 3; i++)); do
    take "$i"
  done
}

in_shell() (
  cd /
  pwd
)

short() { echo short; }

log::error() {
  inner() {
    echo inner
  }
  inner >&2
}

if [[ $MOST -gt 3 ]]; then
  guarded() {
    echo guarded
  }
fi

case "${1:-}" in
  -v)
    verbose=1
    usage
    ;;
  *)
    both | sort |
      uniq
    ;;
esac

until take one; do
  sleep 1
done

{
  echo one
  echo two
} > /dev/null

trap 'echo bye' EXIT
