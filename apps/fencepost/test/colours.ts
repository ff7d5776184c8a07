/** The only escape codes of ours: bold, dim, inverse and four colours, on and off. */
const ourCodes = [1, 2, 7, 22, 27, 31, 32, 33, 36, 39].map((code) => `\u001b[${code}m`);

/** The text without our colours; any other code stays. */
export function withoutColours(text: string): string {
  return ourCodes.reduce((rest, code) => rest.replaceAll(code, ""), text);
}
