import { existsSync } from "node:fs";
import type { Random } from "@gatehouse/auth";
import { auditWrite } from "@gatehouse/console/audit/entry";
import type { OperationDeps } from "@gatehouse/console/deps";
import { type EndedCounts, endAllCredentials } from "@gatehouse/db/backup/end-all";
import { recordBackup } from "@gatehouse/db/backup/record";
import { restoreFile } from "@gatehouse/db/backup/restore";
import type { Db } from "@gatehouse/db/query/db";
import { countEventsSince, latestEventAt } from "@gatehouse/db/stores/webhooks/handler-runs";
import type { Settings } from "@gatehouse/installation";
import { fileToBackUp, verifyBackup, withLocalFile } from "@gatehouse/installation/backup";
import { operator } from "../operator.ts";

type Report = (step: string) => void;

/** The restored database does not know webhook events from this time: if a provider retries one, it counts as new. */
export type Gap = { from: string | null; to: string; events_lost: number | null };

export type Restored = {
  restored: string;
  made_at: string | null;
  kept: string | null;
  ended: EndedCounts | null;
  webhook_dedupe_gap: Gap;
};

type Options = { keepGrants: boolean; random: Random; now: () => Date; report: Report };

type Where = Pick<Settings, "databaseUrl" | "backups" | "secret" | "previousSecrets">;

/**
 * Verifies a backup and replaces the database by it; the old database is kept beside it. `place`: a file, or a URL of
 * the object store. Ends every session and token of the backup, unless `keepGrants`. Throws BackupError, and
 * DatabaseInUseError while any program uses the database. OP-52.
 */
export async function restore(place: string, settings: Where, options: Options): Promise<Restored> {
  const database = fileToBackUp(settings);
  const restored = await withLocalFile(place, settings, options.report, (backup) =>
    restoreOver(database, backup, settings, options),
  );
  return { ...restored, restored: place };
}

async function restoreOver(
  file: string,
  backup: string,
  settings: Where,
  { keepGrants, random, now, report }: Options,
): Promise<Restored> {
  const { made_at } = await verifyBackup(backup, settings, { random, report });
  const at = now();
  const kept = existsSync(file) ? `${file}.before-restore-${at.toISOString().replace(/[-:]|\.\d+/g, "")}` : null;
  let from = made_at === null ? undefined : seconds(new Date(made_at));
  let lost: number | null = null;

  report("Restoring");
  const ended = await restoreFile(backup, file, {
    keepAs: kept ?? "",
    async prepare({ db }) {
      from ??= await latestEventAt(db);
      const detail = { made_at, kept_sessions: keepGrants };
      await db
        .transaction([recordRestore(db, detail, { now: () => seconds(at), random })])
        .catch(() => report("The backup is of an older version, whose audit log cannot take a row about this."));
      await recordBackup(db, { restored: { at: seconds(at) } });
      return keepGrants ? null : endAllCredentials(db, seconds(at));
    },
    async look({ db }) {
      lost = await countEventsSince(db, from ?? 0);
    },
  });
  return { restored: backup, made_at, kept, ended, webhook_dedupe_gap: gap(from, at, lost) };
}

/** Ends every session and token, for a database that was restored by other means. OP-52. */
export async function endAfterRestore({
  db,
  now,
  random,
}: Pick<OperationDeps, "db" | "now" | "random">): Promise<Pick<Restored, "ended" | "webhook_dedupe_gap">> {
  const latest = await latestEventAt(db);
  await db.transaction([recordRestore(db, { kept_sessions: false }, { now, random })]);
  await recordBackup(db, { restored: { at: now() } });
  return { ended: await endAllCredentials(db, now()), webhook_dedupe_gap: gap(latest, new Date(now() * 1000), null) };
}

/** The row of the audit log, which is that of the backup from here on. CO-64. */
function recordRestore(db: Db, detail: Record<string, unknown>, deps: Pick<OperationDeps, "now" | "random">) {
  const entry = { action: "database.restore" as const, object: "database", objectName: "Database", detail };
  return auditWrite(operator(), entry, { db, ...deps });
}

function gap(from: number | undefined, to: Date, events_lost: number | null): Gap {
  return { from: from === undefined ? null : new Date(from * 1000).toISOString(), to: to.toISOString(), events_lost };
}

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);
