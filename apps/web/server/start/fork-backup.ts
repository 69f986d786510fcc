import type { SpawnBackup } from "@gatehouse/installation";
import type { StartEnv } from "./env.ts";
import { forkBundle } from "./fork-bundle.ts";

/** Starts the process that makes a backup. OP-51 */
export const forkBackup =
  (env: Pick<StartEnv, "settings">): SpawnBackup =>
  (holder) =>
    forkBundle("backup.mjs", env, { args: [holder] });
