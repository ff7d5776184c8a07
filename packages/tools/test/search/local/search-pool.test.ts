import { afterEach, beforeEach, expect, it } from "vitest";
import { makeHangingPlace, type HangingPlace } from "./hanging-threads.ts";

let place: HangingPlace;
beforeEach(() => {
  place = makeHangingPlace();
});
afterEach(() => place.close());

it("[T47] a pool is closed although a thread of it hangs in the system", async () => {
  const pool = await place.pool(place.hang, 1);
  const [thread] = pool.threads(1);
  await pool.release();
  expect(thread).toMatchObject({ dead: true });
});

it("[T47] what was given up before is not waited for again", async () => {
  const pool = await place.pool(place.hang, 1);
  await pool.threads(1)[0]?.stop();
  let turns = 0;
  const released = pool.release().then(() => turns);
  for (; turns < 20; turns += 1) await Promise.resolve();
  expect(await released).toBeLessThan(20);
});
