import { joinPath } from "./paths.ts";

/** Where programs keep secrets, below a home. Each with all below it. */
const credentialPathsBelowHome = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".kube",
  ".azure",
  ".config/gh",
  ".config/gcloud",
  ".docker/config.json",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".pypirc",
  ".cargo/credentials.toml",
  "Library/Keychains",
  "Library/Cookies",
  "Library/Safari",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
  ".cargo/credentials",
  ".pgpass",
  ".my.cnf",
  ".vault-token",
  ".password-store",
  ".local/share/keyrings",
  ".config/google-chrome",
  ".config/chromium",
  ".mozilla/firefox",
  ".config/op",
  ".config/rclone",
  ".terraform.d/credentials.tfrc.json",
  ".gem/credentials",
  ".config/containers/auth.json",
] as const;

export function credentialPathsOf(home: string): readonly string[] {
  return credentialPathsBelowHome.map((relative) => joinPath(home, relative));
}
