/** How two lines differ that are equal but for the white space around them: `a tab where the text has 4 spaces`. */
export function describeWhiteSpace(fileLine: string, textLine: string): string {
  const [inFile, inText] = [leading(fileLine), leading(textLine)];
  if (inFile !== inText) return `${amount(inFile)} where the text has ${amount(inText)}`;
  return `${amount(trailing(fileLine))} at its end where the text has ${amount(trailing(textLine))}`;
}

function leading(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function trailing(line: string): string {
  return line.slice(line.trimEnd().length);
}

const names: Readonly<Record<string, string>> = { "\t": "tab", " ": "space", "\r": "carriage return", "\u00A0": "no-break space" };

const maxRuns = 4;

function amount(space: string): string {
  const runs = space.match(/(.)\1*/gsu) ?? [];
  if (runs.length === 0) return "none";
  const shown = runs.slice(0, maxRuns).map((run) => {
    const name = names[run[0] ?? ""] ?? "unusual white space character";
    return run.length === 1 ? `a ${name}` : `${run.length} ${name}s`;
  });
  return runs.length > maxRuns ? `${shown.join(", ")} and more` : shown.join(" and ");
}
