import { makeCorpus } from "./corpora/make-corpus.ts";
import { corpusNames } from "./corpora/recipes.ts";

/** Makes the trees that searches are measured on, so that a measurement need not wait for it. */
export async function run(): Promise<void> {
  for (const name of corpusNames) console.log(await makeCorpus(name));
}
