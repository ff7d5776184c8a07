/** One mount as the kernel tells of it. */
export interface MountLine {
  readonly point: string;
  /** Which directory or file of its file system is mounted. */
  readonly root: string;
  /** Which file system, `major:minor`. */
  readonly device: string;
  readonly writable: boolean;
  readonly type: string;
}

/** `/proc/<pid>/mountinfo`, read as text or one character a byte, and paths likewise: the lowest mount first, and what covers another after it. */
export function parseMountInfo(text: string): readonly MountLine[] {
  const mounts: MountLine[] = [];
  for (const line of text.split("\n")) {
    const fields = line.split(" ");
    const [, , device, root, point, options] = fields;
    if (device === undefined || root === undefined || point === undefined || options === undefined) continue;
    // Optional fields stand before the hyphen; no field can be one itself but an optional one, and those hold a colon.
    const type = fields[fields.indexOf("-", 6) + 1] ?? "";
    mounts.push({ device, root: unescaped(root), point: unescaped(point), writable: options === "rw" || options.startsWith("rw,"), type });
  }
  return mounts;
}

/** Space, tab, line break, backslash and hash come as three octal digits. */
function unescaped(field: string): string {
  return field.includes("\\") ? field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))) : field;
}
