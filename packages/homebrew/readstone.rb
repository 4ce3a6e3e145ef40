# Untried: there was no Homebrew where this was written.
class Readstone < Formula
  desc "@DESCRIPTION@"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

@ARCHIVES@
  def install
    bin.install "readstone"
    (buildpath/"readstone.1").write Utils.safe_popen_read(bin/"readstone", "man")
    man1.install "readstone.1"
    generate_completions_from_executable(bin/"readstone", "completions")
  end

  test do
    (testpath/"notes.txt").write "one\ntwo\n"
    assert_match "1:one", shell_output("#{bin}/readstone read #{testpath}/notes.txt")
  end
end
