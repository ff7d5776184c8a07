import { nameOf } from "../policy/paths.ts";
import { inParent } from "./directory-handle.ts";
import { QuarantineCall } from "./quarantine-call.ts";
import { SetAsideRecords } from "./set-aside.ts";

/** Moves to quarantine what there was no room for before. False: there still is none for some of it. */
export function takeSetAside(stateHome: string): boolean {
  const records = new SetAsideRecords(stateHome);
  let all = true;
  for (const { id, path, beside, workspace } of records.all()) {
    try {
      inParent(beside, (parent, name) => new QuarantineCall(stateHome, "set-aside", id, workspace).take(parent, name, path, nameOf(path)));
      records.remove(id);
    } catch {
      all = false;
    }
  }
  return all;
}
