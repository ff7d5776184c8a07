import { createHash } from "node:crypto";

/** SHA-256, hex: how a content is named wherever it is compared. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
