/** What `(?imsUuxR)` switch. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
  readonly unicode: boolean;
  readonly verbose: boolean;
  readonly crlf: boolean;
}

export const defaultFlags: Flags = { ignoreCase: false, multiLine: false, dotAll: false, swapGreed: false, unicode: true, verbose: false, crlf: false };

export const flagLetters: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiLine",
  s: "dotAll",
  U: "swapGreed",
  u: "unicode",
  x: "verbose",
  R: "crlf",
};
