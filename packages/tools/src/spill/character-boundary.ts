/** The last character boundary at or before `limit`, in bytes of valid UTF-8. */
export function characterBoundary(bytes: Uint8Array, limit: number): number {
  if (limit >= bytes.length) return bytes.length;
  let cut = Math.max(0, limit);
  while (cut > 0 && isContinuation(bytes[cut])) cut--;
  return cut;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
