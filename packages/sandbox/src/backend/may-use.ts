import { accessSync } from "node:fs";

/** Whether this user may use a path so, and it is there. `mode` as for `access`, such as `constants.X_OK`. */
export function mayUse(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
