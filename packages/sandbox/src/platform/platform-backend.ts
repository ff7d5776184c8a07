import { bubblewrapBackend } from "../bubblewrap/bubblewrap-backend.ts";
import { seatbeltBackend } from "../seatbelt/backend.ts";
import { unavailableBackend } from "../backend/unavailable-backend.ts";
import type { SandboxBackend } from "../backend/backend.ts";

/** The backend of this machine. Where there is none, one that runs nothing and says why. */
export function platformBackend(platform: string = process.platform): SandboxBackend {
  if (platform === "linux") return bubblewrapBackend();
  if (platform === "darwin") return seatbeltBackend();
  if (platform === "win32") {
    return unavailableBackend("nothing on Windows enforces the policy for shell commands", "Run Fencepost in WSL 2 with bubblewrap installed.");
  }
  return unavailableBackend(`there is no sandbox for the platform ${platform}`, "Run Fencepost on Linux or macOS.");
}
