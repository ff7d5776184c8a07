import { it } from "vitest";
import { expectReadmeExample } from "../../../../test/readme-example.ts";

it("the README's first example is the compiled one, and prints what it says", () => expectReadmeExample(import.meta.url));
