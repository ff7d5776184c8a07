/** The version of this command. The path holds in `src` and in `dist` alike: the file is read, not bundled. */
export async function ownVersion(): Promise<string> {
  return (await import("../package.json", { with: { type: "json" } })).default.version;
}
