import { randomBytes } from "node:crypto";
import { setPriority } from "node:os";
import { openInstallation } from "@gatehouse/installation";
import { scheduledBackup } from "@gatehouse/installation/backup";
import { processEnv } from "./server/start/env.ts";
import { openLog } from "./server/start/log.ts";
import { followReloads } from "./server/start/reload.ts";

// Runs as a process of server.ts, which starts it when a backup is due: copying and checking a database blocks, and the
// server must not wait for its disk. OP-51

const LOW_PRIORITY = 10;

const [holder = ""] = process.argv.slice(2);
const env = processEnv();
const { log } = openLog(env.logLevel, { sync: true });
process.once("disconnect", () => process.exit(1)); // the server is gone; the next backup deletes what this one leaves
followReloads(log);
setPriority(LOW_PRIORITY);

const installation = await openInstallation(env.settings, { log });
installation.database.deferCheckpoints(); // the server has a thread for them
try {
  const done = await scheduledBackup(env.settings, installation.database.background, {
    random: randomBytes,
    now: () => new Date(),
    report: (step) => log.debug({ step }, "a backup is being made"),
    holder,
    ifDue: true,
  });
  if (done === "busy") log.info({}, "another process makes a backup now");
  else log.info(done, "a backup was made");
} catch (error) {
  log.error({ err: error }, "the backup failed");
  process.exitCode = 1;
} finally {
  await installation.close();
  process.disconnect?.();
}
