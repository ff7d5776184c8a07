import { testSearchBackend } from "../../../src/testing/search-suite.ts";
import { diskFixture } from "../disk-fixture.ts";

testSearchBackend("of this machine's disk", () => diskFixture());
