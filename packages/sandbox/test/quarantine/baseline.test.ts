import { existsSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BaselineStore, sealBaseline, type SealedBaseline } from "../../src/quarantine/baseline.ts";
import { makeWorld, type World } from "../bubblewrap/world.ts";

let world: World;
let store: BaselineStore;
beforeEach(() => {
  world = makeWorld();
  store = new BaselineStore(world.environment.stateHome);
});
afterEach(() => world.remove());

const directory = (): string => join(world.environment.stateHome, "sandbox/baselines");

/** One that was last needed long ago. */
function old(path: string): SealedBaseline {
  const sealed = sealBaseline({ known: new Set([path]), missing: [], kept: [] });
  store.write(sealed);
  utimesSync(join(directory(), sealed.name), 0, 0);
  return sealed;
}

describe("baselines on disk", () => {
  it("[P51] are pruned where nobody uses them, and not where somebody does or just did", () => {
    const [used, needed, idle] = [old("/a"), old("/b"), old("/c")];
    store.write(needed);
    store.prune(() => new Set([used.name]));
    expect(readdirSync(directory()).toSorted()).toEqual([used.name, needed.name].toSorted());
    expect(store.load(idle.name)).toBeUndefined();
    expect(store.load(used.name)?.known).toEqual(new Set(["/a"]));
  });

  it("[P51] of a command that comes while another process prunes stay", () => {
    const coming = sealBaseline({ known: new Set(["/late"]), missing: [], kept: [] });
    store.prune(() => {
      store.write(coming);
      return new Set();
    });
    expect(store.load(coming.name)).toBeDefined();
  });

  it("may be pruned by two processes at once", () => {
    const one = old("/a");
    store.prune(() => {
      rmSync(join(directory(), one.name));
      return new Set();
    });
    expect(existsSync(join(directory(), one.name))).toBe(false);
  });

  it("are written again where somebody has removed them", () => {
    const one = old("/a");
    rmSync(directory(), { recursive: true });
    store.write(one);
    expect(store.load(one.name)).toBeDefined();
  });
});
