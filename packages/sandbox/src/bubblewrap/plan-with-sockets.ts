import type { MountPlan } from "./mount-plan.ts";
import { socketPins, type SocketMasks } from "./sockets.ts";

/** The plan, with closed directories hidden in which somebody listens, and the names kept of those on the way to a socket. */
export function withSockets(plan: MountPlan, sockets: SocketMasks): MountPlan {
  const masks = sockets.closed.map((path) => ({ kind: "mask", path, of: "directory", siblings: undefined, listable: false }) as const);
  const mounts = [...plan.mounts, ...masks];
  const mounted = new Set(mounts.map(({ path }) => path));
  const pins = socketPins(sockets, plan.areas).filter((path) => !mounted.has(path));
  return { ...plan, mounts, pins: [...new Set([...plan.pins, ...pins])], masked: [...plan.masked, ...sockets.closed] };
}
