# Filled by Resources/release.sh, for Nix.
{
  description = "Markdown notebook that lives in the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      system = "@ARCH@-linux";
      pkgs = nixpkgs.legacyPackages.${system};
    in {
      packages.${system}.default = pkgs.stdenvNoCC.mkDerivation {
        pname = "tn";
        version = "@VERSION@";
        src = pkgs.fetchurl {
          url = "@ADDRESS@/@VERSION@/@FILE@";
          hash = "sha256-@SHA256_BASE64@";
        };
        # The program is linked to nothing, so there is nothing to patch, and its symbols are gone already.
        dontStrip = true;
        dontPatchELF = true;
        installPhase = ''
          runHook preInstall
          mkdir -p $out
          cp -r bin share $out/
          runHook postInstall
        '';
        meta.mainProgram = "tn";
      };
      apps.${system}.default = {
        type = "app";
        program = "${self.packages.${system}.default}/bin/tn";
      };
    };
}
