# Filled by Resources/release.sh, for Homebrew on Linux.
class Tn < Formula
  desc "Markdown notebook that lives in the terminal"
  homepage "@ADDRESS@"
  url "@ADDRESS@/@VERSION@/@FILE@"
  version "@VERSION@"
  sha256 "@SHA256@"

  depends_on :linux

  def install
    bin.install "bin/tn"
    man1.install "share/man/man1/tn.1"
    bash_completion.install "share/bash-completion/completions/tn"
    zsh_completion.install "share/zsh/site-functions/_tn"
    fish_completion.install "share/fish/vendor_completions.d/tn.fish"
    (share/"applications").install "share/applications/takenote.desktop"
    doc.install Dir["share/doc/tn/*"]
  end

  test do
    ENV["XDG_DATA_HOME"] = testpath/"data"
    assert_match version.to_s, shell_output("#{bin}/tn --version")
    address = pipe_output("#{bin}/tn --new", "A note\n").chomp
    assert_equal "A note\n", shell_output("#{bin}/tn show #{address}")
  end
end
