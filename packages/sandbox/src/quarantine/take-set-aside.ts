import { nameOf } from "../policy/paths.ts";
import { inParent, isErrno } from "./directory-handle.ts";
import { QuarantineCall } from "./quarantine-call.ts";
import { SetAsideRecords } from "./set-aside.ts";

/** Moves to quarantine what could not be moved before. False: there still is no room for some of it. */
export function takeSetAside(stateHome: string): boolean {
  const records = new SetAsideRecords(stateHome);
  let all = true;
  for (const { id, path, beside, workspace } of records.all()) {
    try {
      inParent(beside, (parent, name) => new QuarantineCall(stateHome, "set-aside", id, workspace).take(parent, name, path, nameOf(path)));
      records.remove(id);
    } catch (error) {
      // What fails for another reason stays listed, and is not tried again with every command.
      if (isErrno(error, "ENOSPC", "EDQUOT")) all = false;
    }
  }
  return all;
}
