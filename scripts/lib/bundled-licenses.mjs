import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const licensesFile = "THIRD-PARTY-LICENSES.txt";

/**
 * The license texts of the packages that a bundle's modules come from, by name: each of them asks to be named where its
 * code is copied. Fails where one has no license text.
 *
 * @param {Iterable<string>} moduleIds absolute paths of the bundled modules
 */
export function bundledLicenses(moduleIds) {
  const directories = new Set([...moduleIds].map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter((directory) => directory !== undefined));
  const texts = [...directories].map((directory) => `${titleOf(directory)}\n\n${licenseOf(directory)}`);
  return texts.toSorted((left, right) => left.localeCompare(right)).join(`\n${"-".repeat(80)}\n\n`);
}

function titleOf(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  return `${name} ${version} (${license})`;
}

function licenseOf(directory) {
  const file = readdirSync(directory).find((name) => /^licen[cs]e(?:[.-]\w+)?$/i.test(name));
  if (file === undefined) throw new Error(`${directory}: no license text to ship with the bundle`);
  return `${readFileSync(join(directory, file), "utf8").trim()}\n`;
}
