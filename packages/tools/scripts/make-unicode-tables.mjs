// Writes src/regex/unicode/tables.generated.ts from the Unicode tables of the Node that runs it.
import { writeFileSync } from "node:fs";

const classes = {
  wordDeltas: /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u,
  digitDeltas: /\p{Nd}/u,
};

function deltas(pattern) {
  const out = [];
  let open = false;
  let last = 0;
  for (let point = 0; point <= 0x110000; point += 1) {
    const surrogate = point >= 0xd800 && point <= 0xdfff;
    const inside = point <= 0x10ffff && !surrogate && pattern.test(String.fromCodePoint(point));
    if (inside === open) continue;
    const edge = inside ? point : point - 1;
    out.push((edge - last).toString(36));
    last = edge;
    open = inside;
  }
  return out.join(" ");
}

const lines = Object.entries(classes).map(([name, pattern]) => `export const ${name} =\n  "${deltas(pattern)}";\n`);
const header = `// Made by scripts/make-unicode-tables.mjs from Unicode ${process.versions.unicode}. Each number is the distance to the one before, in base 36.\n`;
writeFileSync(new URL("../src/regex/unicode/tables.generated.ts", import.meta.url), header + lines.join(""));
