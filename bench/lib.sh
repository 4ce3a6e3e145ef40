# What bench/compare and bench/economy share.

# Sets install, quick, write, place and program from the command line; what only bench/compare knows goes into builds.
options() {
  install=no quick=no write=no place='' program=${BENCH_PROGRAM:-}
  builds=()
  while [ $# -gt 0 ]; do
    case $1 in
      --install) install=yes ;;
      --quick) quick=yes ;;
      --write) write=yes ;;
      --place) place=$(realpath -m "${2:?--place needs a directory}"); shift ;;
      --program) program=$(realpath "${2:?--program needs a path}"); shift ;;
      --before) builds+=(--before "$(realpath "${2:?--before needs a path}")"); shift ;;
      --rows) builds+=(--rows "${2:?--rows needs a text}"); shift ;;
      --allow) builds+=(--allow "${2:?--allow needs a percentage}"); shift ;;
      --help | -h) usage; exit ;;
      *) usage >&2; exit 2 ;;
    esac
    shift
  done
}

# Builds the program as it is published, unless one was named.
build_program() {
  if [ -n "$program" ]; then return; fi
  (cd "$here/.." && cargo build --profile dist --locked)
  program=$(cd "$here/.." && cargo metadata --format-version 1 --no-deps --locked |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/dist/readstone
}

# Fetches the peers; what cannot be fetched is named and left out.
fetch_peers() {
  local peers=$here/peers failed=()
  mkdir -p "$peers"
  npm install --no-audit --no-fund --prefix "$peers" @modelcontextprotocol/server-filesystem || failed+=("npm: @modelcontextprotocol/server-filesystem")
  cargo install --root "$peers" --locked rust-mcp-filesystem || failed+=("cargo: rust-mcp-filesystem")
  { python3 -m venv "$peers/python" && "$peers/python/bin/pip" install --quiet 'markitdown[docx,pdf,xlsx]'; } || failed+=("PyPI: markitdown[docx,pdf,xlsx]")
  echo "From the distribution (Debian's names): apt-get install ripgrep fd-find unzip libarchive-tools sqlite3 poppler-utils"
  if [ "${#failed[@]}" -gt 0 ]; then printf 'could not be fetched: %s\n' "${failed[@]}"; fi
}
