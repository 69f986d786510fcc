import { maintainKeys, mintId } from "@gatehouse/auth";
import { type WriteLines, writeAuditLines } from "@gatehouse/console/audit/lines";
import { findUnacceptedClients } from "@gatehouse/console/clients/unaccepted-clients";
import { noteAttention } from "@gatehouse/console/overview/attention";
import { forgetLease } from "@gatehouse/db/stores/jobs/leases";
import { scheduleReconciliations } from "@gatehouse/work/handlers";
import { createSchedule } from "@gatehouse/work/jobs";
import { startAuditChain } from "./audit-chain.ts";
import { BACKUP_TASK, type SpawnBackup, scheduleBackups } from "./backup/schedule.ts";
import { keepGauges } from "./gauges.ts";
import type { Installation } from "./installation.ts";
import { keepOwnPartitions } from "./partitions.ts";
import { queuesOf } from "./queues.ts";
import { startKeyReports } from "./seal/servers.ts";
import { sweepAll } from "./sweeping.ts";

/** What a process does besides serving. */
export type Maintenance = {
  /** Starts no more work. */
  drain(): void;
  /** Gives running jobs at most so many milliseconds, and waits for scheduled work. */
  stop(withinMs: number): Promise<void>;
};

const TEN_MINUTES = 10 * 60;
const MINUTE = 60;
const AUDIT_LINES_EVERY = 5;
const AUDIT_LINES_TASK = "audit_lines";
const MOST_WARNINGS = 20;

/**
 * Runs jobs, and from time to time rotates keys and sweeps. Called in the first process of each server; of several
 * servers on one database, one does each scheduled task. `writeLines` takes the audit log as lines; without it there are
 * none. `spawnBackup` starts the process that makes backups, if there are any. OP-22.
 */
export function startMaintenance(
  installation: Installation,
  { writeLines, spawnBackup }: { writeLines?: WriteLines; spawnBackup?: SpawnBackup } = {},
): Maintenance {
  const { settings, database, deps, log, work, worker } = installation;
  const { background } = database;
  const schedule = createSchedule({ db: background, log, holder: mintId(deps.random) });
  schedule.every(TEN_MINUTES, "signing_keys", () => maintainKeys(deps));
  schedule.every(TEN_MINUTES, "sweep", (stopping) =>
    sweepAll(background, deps.now(), settings.current, { mailWorks: deps.mail.available, stopping }),
  );
  const { keepPartitions } = database;
  if (keepPartitions) schedule.every(TEN_MINUTES, "partitions", () => keepOwnPartitions(keepPartitions, log));
  const sealer = startAuditChain({ settings, database, deps, log, schedule });
  const idle: string[] = [];
  if (writeLines)
    schedule.every(AUDIT_LINES_EVERY, AUDIT_LINES_TASK, (stopping) =>
      writeAuditLines({ db: background, write: writeLines, onChanged: warnOfChange(log) }, stopping),
    );
  else idle.push(AUDIT_LINES_TASK);
  if (spawnBackup && settings.current.backups.everySeconds !== undefined)
    scheduleBackups(schedule, installation, spawnBackup);
  else idle.push(BACKUP_TASK);
  const forgotten = Promise.all(idle.map((name) => forgetLease(background, name))).catch((error: unknown) =>
    log.warn({ err: error }, "tasks that are switched off could not be forgotten; the status may call them late"),
  );
  const keyReports = startKeyReports({ ...deps, db: background }, log);
  schedule.every(MINUTE, "webhook_reconciliations", () => scheduleReconciliations(work));
  schedule.every(MINUTE, "attention", () => noteAttention({ ...deps, db: background }));
  // Without a lease: what is accepted depends on this server's own settings.
  const warned = warnOfUnacceptedClients({ database, deps, log }).catch((error: unknown) =>
    log.error({ err: error }, "clients that no API accepts could not be looked up"),
  );
  const tried = warnIfMailFails({ deps, log }).catch((error: unknown) =>
    log.error({ err: error }, "the SMTP connection could not be checked"),
  );
  worker.start(queuesOf(work));
  const endGauges = keepGauges({ deps, log });

  function drain(): void {
    schedule.stop();
    sealer.stop();
    worker.drain();
  }
  return {
    drain,
    async stop(withinMs) {
      drain();
      endGauges();
      await Promise.all([
        worker.stop(withinMs),
        schedule.settled(),
        sealer.settled(),
        warned,
        tried,
        forgotten,
        keyReports.stop(),
      ]);
    },
  };
}

const warnOfChange = (log: Installation["log"]) => (known: object) =>
  log.warn(
    { known },
    "the row of the audit log that was written to stdout last is gone or changed, so all are written again; run gatehouse audit verify with that row",
  );

/** The server starts without its SMTP server: mails wait in the outbox. EM-01. */
async function warnIfMailFails({ deps, log }: Pick<Installation, "deps" | "log">): Promise<void> {
  const answer = await deps.outbox?.tryServer();
  if (typeof answer === "string")
    log.warn(
      { answer },
      "the SMTP server does not take mail; mails wait and are tried again. Check GATEHOUSE_SMTP_URL, or the server in the console's settings",
    );
}

/** Logs each client that is registered for an API which refuses its environment. D22. */
async function warnOfUnacceptedClients({
  database,
  deps,
  log,
}: Pick<Installation, "database" | "deps" | "log">): Promise<void> {
  const found = await findUnacceptedClients({ ...deps, db: database.background }, MOST_WARNINGS + 1);
  for (const { clientId, applicationName, environment, api, accepted } of found.slice(0, MOST_WARNINGS)) {
    const message = `${applicationName} (${clientId}) can never be accepted: it is a ${environment} client, and ${api} accepts ${accepted.join(", ")}`;
    log.warn({ clientId, environment, api, accepted }, message);
  }
  if (found.length > MOST_WARNINGS)
    log.warn({}, `more than ${MOST_WARNINGS} clients can never be accepted; the others are not listed`);
}
