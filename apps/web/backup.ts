import { randomBytes } from "node:crypto";
import { setPriority } from "node:os";
import { openInstallation } from "@gatehouse/installation";
import { endBackupLease, scheduledBackup } from "@gatehouse/installation/backup";
import { processEnv } from "./server/start/env.ts";
import { openLog } from "./server/start/log.ts";
import { followReloads } from "./server/start/reload.ts";
import { receiveSecrets } from "./server/start/secrets.ts";

// Runs as a process of server.ts, which starts it when a backup is due: copying and checking a database blocks, and the
// server must not wait for its disk. OP-51

const LOW_PRIORITY = 10;

const [holder = ""] = process.argv.slice(2);
const env = processEnv(await receiveSecrets());
const { log } = openLog(env.logLevel, { sync: true });
followReloads(log);
setPriority(LOW_PRIORITY);

const installation = await openInstallation(env.settings, { log });
const { background } = installation.database;
installation.database.deferCheckpoints(); // the server has a thread for them
process.once("disconnect", leave);
if (process.connected === false) leave();
try {
  const done = await scheduledBackup(env.settings, background, {
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
  process.off("disconnect", leave);
  process.disconnect?.();
}

/** The server is gone. The next backup deletes what this one leaves, and need not wait for its lease. */
function leave(): void {
  void endBackupLease(background, holder).finally(() => process.exit(1));
}
