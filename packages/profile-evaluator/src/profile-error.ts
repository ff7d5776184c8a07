/** The profile would not be loaded (`sandbox-exec` exits 65), or says something this evaluator does not judge. */
export class ProfileError extends Error {
  readonly kind: "rejected" | "unsupported";

  constructor(kind: "rejected" | "unsupported", message: string) {
    super(message);
    this.name = "ProfileError";
    this.kind = kind;
  }
}

/** What the real thing refuses to load. */
export function rejected(message: string): ProfileError {
  return new ProfileError("rejected", message);
}

/** What the real thing may accept, on which accounts differ or which nothing here needs. */
export function unsupported(message: string): ProfileError {
  return new ProfileError("unsupported", message);
}
