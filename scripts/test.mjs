// `npm test`: set-up, build, every test. `--deep`: the large counts, too. Other arguments go to vitest.
import { setUp } from "./lib/set-up.mjs";
import { runVitest } from "./lib/vitest.mjs";

const deep = process.argv.includes("--deep");
const rest = process.argv.slice(2).filter((argument) => argument !== "--deep");

await setUp();

const { code, passed, failed, skipped } = await runVitest(rest, deep ? { FENCEPOST_DEEP: "1" } : {});
// vitest also exits non-zero for errors outside of any test: they must not look like success.
const failures = failed === 0 && code !== 0 ? 1 : failed;
console.log(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failures === 0 ? 0 : 1);
