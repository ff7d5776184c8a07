export { disputedPoints, type DisputedPoint } from "./disputed.ts";
export { decide, type CaseRule, type Outcome } from "./evaluate.ts";
export { ProfileError } from "./profile-error.ts";
export { parseProfile, type Profile, type ProfileRule } from "./profile.ts";
export { allows, type Syscall } from "./syscalls.ts";
