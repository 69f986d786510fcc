import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SpawnBackup } from "@gatehouse/installation";
import { tellOfReloads } from "./reload.ts";

/** Starts the process that makes a backup. It logs to the server's output. OP-51 */
export const forkBackup: SpawnBackup = (holder) => {
  const program = fileURLToPath(new URL("./backup.mjs", import.meta.url)); // bundled beside this code
  return tellOfReloads(fork(program, [holder], { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
};
