import { it } from "vitest";
import { expectExample, expectReadmeExample } from "../../../../test/readme-example.ts";

it("the first example of the README runs and prints what it says", () => expectReadmeExample(import.meta.url));

it("the example of running a command runs it, and is refused, as it says", () => expectExample(import.meta.url, "running.ts"));

it("the example of the policy prints what it says", () => expectExample(import.meta.url, "policy.ts"));
