import { existsSync } from "node:fs";
import { run, say, step } from "./say.mjs";

/** On Linux the sandbox is bubblewrap. It is installed where that needs no question: as root, on Debian and its kin. */
export async function ensureBubblewrap() {
  if (process.platform !== "linux" || (await works())) return;
  if (existsSync("/etc/debian_version") && process.getuid?.() === 0) {
    await aptInstall("bubblewrap", ["bubblewrap"]);
    return;
  }
  say(`bubblewrap 0.8 or newer is missing, so commands cannot run. Install it: ${howTo()}`);
}

async function aptInstall(title, packages) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await step("Refreshing the list of packages (apt-get update)", "apt-get", ["update", "-qq"], { env });
  await step(`Installing ${title} (apt-get install)`, "apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { env });
}

async function works() {
  const { code } = await run("bwrap", ["--version"]);
  return code === 0;
}

function howTo() {
  if (existsSync("/etc/debian_version")) return "sudo apt-get install bubblewrap";
  if (existsSync("/etc/fedora-release") || existsSync("/etc/redhat-release")) return "sudo dnf install bubblewrap";
  if (existsSync("/etc/arch-release")) return "sudo pacman -S bubblewrap";
  if (existsSync("/etc/alpine-release")) return "sudo apk add bubblewrap";
  return "with the system's package manager; the package is called bubblewrap";
}
