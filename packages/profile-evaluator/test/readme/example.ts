import { decide, parseProfile } from "@fencepost/profile-evaluator";

const profile = parseProfile('(version 1) (allow default) (deny file-write* (subpath "/a"))');
console.log(decide(profile, "file-write-data", "/a/x"));
// deny
