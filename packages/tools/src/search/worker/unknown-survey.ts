import type { Survey } from "./messages.ts";

/** Nothing was counted: there was no time for it, or the glob's other readings are larger than a glob may be. */
export const unknownSurvey: Survey = { ignoredFiles: 0, hiddenFiles: 0, hiddenComplete: false, otherCaseFiles: 0, deeperFiles: 0, namesDirectory: false, complete: false };
