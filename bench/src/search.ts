import { createLocalSearchBackend } from "@fencepost/tools";
import { globSections, walkSection } from "./search/glob-sections.ts";
import { grepSections } from "./search/grep-sections.ts";
import { blowUpSection, hostileSections } from "./search/hostile-section.ts";
import { coldSection, memorySection } from "./search/process-sections.ts";
import { printReport } from "./search/report.ts";

export { child } from "./search/child.ts";

/**
 * Search against ripgrep, git grep and others. `--only name[/case],…` runs parts: sections by the beginning of their
 * name (`--only grep-medium`), cases of them by theirs (`--only grep-large-count/rare`).
 */
export async function run(args: readonly string[]): Promise<void> {
  const asked = selections(args);
  const backend = createLocalSearchBackend();
  try {
    const sections = [...grepSections(backend), ...globSections(backend), walkSection, blowUpSection(backend), ...hostileSections(backend), coldSection, memorySection];
    for (const section of sections) {
      const selected = asked.filter(({ section: name }) => section.name.startsWith(name));
      if (selected.length > 0) printReport(section.name, await section.run((name) => selected.some((selection) => name.startsWith(selection.caseName))));
    }
  } finally {
    await backend.close();
  }
}

function selections(args: readonly string[]): readonly { readonly section: string; readonly caseName: string }[] {
  const at = args.indexOf("--only");
  const only = at === -1 ? "" : (args[at + 1] ?? "");
  return only.split(",").map((part) => {
    const [section = "", caseName = ""] = part.split("/");
    return { section, caseName };
  });
}
