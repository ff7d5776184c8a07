import { it } from "vitest";
import { expectReadmeExample } from "../../../../test/readme-example.ts";

it("the example of the README runs and prints what it says", () => expectReadmeExample(import.meta.url));
