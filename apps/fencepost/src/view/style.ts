/** Emphasis that a stream may or may not carry. Text passed in is already free of control characters. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly inverse: (text: string) => string;
}

const same = (text: string): string => text;

export const plainStyle: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same, inverse: same };

export const ansiStyle: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
  inverse: sgr(7, 27),
};

function sgr(on: number, off: number): (text: string) => string {
  return (text) => (text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`);
}
