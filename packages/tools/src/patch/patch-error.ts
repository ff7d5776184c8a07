export type PatchErrorKind =
  | "missing_file_header"
  | "invalid_hunk_header"
  | "unsupported_git_patch_feature"
  | "path_escape"
  | "rename_path_mismatch"
  | "context_not_found"
  | "ambiguous_context"
  | "existing_file"
  | "missing_file";

/** A patch cannot be applied. Nothing was written. The message is for the model. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
