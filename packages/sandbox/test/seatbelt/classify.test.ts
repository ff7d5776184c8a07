import { describe, expect, it } from "vitest";
import { classifySeatbelt } from "../../src/seatbelt/classify.ts";

describe("classifySeatbelt", () => {
  it("takes a failure that was not permitted for a denial", () => {
    expect(classifySeatbelt(1, "touch: /etc/x: Operation not permitted")).toBe("denied");
    expect(classifySeatbelt(1, "OPERATION NOT PERMITTED")).toBe("denied");
    expect(classifySeatbelt(0, "Operation not permitted")).toBe("normal");
    expect(classifySeatbelt(null, "Operation not permitted")).toBe("normal");
    expect(classifySeatbelt(1, "Permission denied")).toBe("normal");
  });

  it("[P15] [D-39] knows the runner's own failures from a command's", () => {
    expect(classifySeatbelt(71, "sandbox-exec: sandbox_apply: Operation not permitted")).toBe("runner_failed");
    expect(classifySeatbelt(65, "sandbox-exec: unbound variable: nowhere")).toBe("runner_failed");
    expect(classifySeatbelt(64, "Usage: sandbox-exec [options] command [args]")).toBe("runner_failed");
    expect(classifySeatbelt(1, "sandbox-exec: not ours")).toBe("normal");
    expect(classifySeatbelt(65, "my test printed sandbox-exec: somewhere")).toBe("normal");
  });
});
