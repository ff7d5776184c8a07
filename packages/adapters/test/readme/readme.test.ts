import { it } from "vitest";
import { expectExample, expectReadmeExample } from "../../../../test/readme-example.ts";

it("the README's first example is the compiled one, and prints what it says", () => expectReadmeExample(import.meta.url));

it.each(["ai-sdk-agent.ts", "mcp-http.ts"])("the example %s prints what it says", (file) => expectExample(import.meta.url, file));
