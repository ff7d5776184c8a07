import { resultText } from "@fencepost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { startHost, type JsonlHost } from "./jsonl-host.ts";
import { createWorld, type World } from "./world.ts";

const directories = [".ssh", ".aws", ".gnupg", ".kube", ".azure", ".config/gh", ".config/gcloud", "Library/Keychains", "Library/Cookies", "Library/Safari", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", ".password-store", ".local/share/keyrings", ".config/google-chrome", ".config/chromium", ".mozilla/firefox", ".config/op", ".config/rclone"];
const files = [".docker/config.json", ".netrc", ".git-credentials", ".npmrc", ".pypirc", ".cargo/credentials.toml", ".cargo/credentials", ".pgpass", ".my.cnf", ".vault-token", ".terraform.d/credentials.tfrc.json", ".gem/credentials", ".config/containers/auth.json"];
const secrets = [...directories.map((path) => `${path}/inner`), ...files];

let world: World;
let host: JsonlHost;

beforeAll(async () => {
  buildCommand();
  world = createWorld();
  for (const path of secrets) world.file(`home/${path}`, "PRIVATE-KEY-TEXT\n");
  world.file("work space/a.txt", "hello\n");
  host = await startHost(world);
});

afterAll(async () => {
  host.end();
  await host.exited;
  world.remove();
});

describe("credentials", () => {
  it.each(["auto", "accept-edits"])("[P7] in %s each one is closed to read, grep, glob, list and bash", async (mode) => {
    host.send({ id: mode, mode });
    await host.when((message) => message.id === mode);
    for (const path of secrets) {
      for (const [tool, input] of [["read", { path: `~/${path}` }], ["grep", { pattern: "PRIVATE", path: `~/${path}` }]] as const) {
        const result = await host.call(tool, input);
        expect([tool, path, result.status, result.sandboxDenied]).toEqual([tool, path, "denied", true]);
        expect(resultText(result)).not.toContain("KEY-TEXT");
      }
    }
    for (const path of directories) {
      for (const [tool, input] of [["glob", { pattern: "**/*", path: `~/${path}` }], ["list", { path: `~/${path}` }]] as const) {
        expect([tool, path, (await host.call(tool, input)).sandboxDenied]).toEqual([tool, path, true]);
      }
    }
    for (const pattern of ["**/inner", "**/credentials*", "**/.netrc"]) expect(resultText(await host.call("glob", { pattern, path: "~", includeHidden: true }))).toMatch(/^No files match/);
    const text = resultText(await host.call("bash", { command: secrets.map((path) => `cat ~/'${path}'`).join("; ") }));
    expect(text).not.toContain("PRIVATE-KEY-TEXT");
    expect(text.match(/Permission denied|Operation not permitted/g)).toHaveLength(secrets.length);
  });
});

describe("everyday work", () => {
  it("[P2] reads, searches, looks at git and builds with a cache, and nobody is asked", async () => {
    host.send({ id: "auto again", mode: "auto" });
    await host.when((message) => message.id === "auto again");
    const build = 'mkdir -p "$GOCACHE" out && echo cached > "$GOCACHE/object" && cp "$GOCACHE/object" out/result && cat out/result && rm out/result && rmdir out';
    for (const command of ["ls", "git status || true", "git log || true", "git diff --no-index /dev/null a.txt || true", "rg hello || grep -r hello .", build]) {
      const result = await host.call("bash", { command });
      expect([command, result.status, result.sandboxDenied]).toEqual([command, "succeeded", false]);
    }
    expect(host.messages.filter((message) => message.permission)).toEqual([]);
  });
});
