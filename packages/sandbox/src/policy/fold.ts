// oxlint-disable-next-line no-control-regex -- the whole ASCII range is meant
const onlyAscii = /^[\x00-\x7f]*$/;

/**
 * A name as protected names are compared: ASCII case is ignored on every platform, and so are the characters that a
 * case-insensitive file system takes for ASCII letters (`ſ` for `s`, the Kelvin sign for `k`, `ß` for `ss`, ligatures)
 * and the difference between composed and decomposed accents. Zero-width characters, which HFS+ ignores, are compared.
 */
export function foldName(name: string): string {
  if (onlyAscii.test(name)) return name.toLowerCase();
  return name.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}
