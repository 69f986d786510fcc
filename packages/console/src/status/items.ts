import type { Facts } from "./facts.ts";
import type { Backups, HostFacts } from "./host-facts.ts";

export type StatusLevel = "ok" | "warning" | "failed";
export type Verdict = { level: StatusLevel; sentence: string };

/** One line of the status. `alert`: the alert of ops/alerts.yaml that says the same. OP-79 */
export type ItemDefinition = { title: string; alert: string | null; judge(facts: Facts): Verdict };

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const GIB = 2 ** 30;

/** Where a figure becomes an alert. The alerts have the same ones. OP-79 */
export const THRESHOLDS = {
  leaseSeconds: 2 * MINUTE,
  jobSeconds: 5 * MINUTE,
  sweepSeconds: 2 * HOUR,
  partitionsAhead: 1,
  backupSeconds: 26 * HOUR,
  verifiedSeconds: 8 * DAY,
  signingKeySeconds: 97 * DAY,
  walBytes: 256 * 2 ** 20,
  diskFree: 0.15,
  certificateSeconds: 14 * DAY,
  badSignatures: 0.2,
} as const;
/** Of fewer deliveries no share is telling. */
const ENOUGH_DELIVERIES = 20;
const MOST_CAUSES = 5;

const ok = (sentence: string): Verdict => ({ level: "ok", sentence });
const warning = (sentence: string): Verdict => ({ level: "warning", sentence });
const failed = (sentence: string): Verdict => ({ level: "failed", sentence });

/** The status, in its order. */
export const ITEMS = {
  version: {
    title: "Version",
    alert: null,
    judge: ofHost(({ version, node, engine }) =>
      ok(`Gatehouse ${version} on Node ${node} and ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}.`),
    ),
  },
  database: { title: "Database", alert: null, judge: () => ok("It answers.") },
  schema: {
    title: "Schema",
    alert: null,
    judge: ofHost(({ missingMigrations: missing }) =>
      missing.length === 0
        ? ok("The database has this version’s schema.")
        : failed(`The database lacks ${missing.length} migrations, first ${missing[0]}. Run gatehouse migrate.`),
    ),
  },
  tasks: {
    title: "Scheduled tasks",
    alert: "GatehouseLeaseLate",
    judge({ tasks }) {
      if (tasks.length === 0) return warning("No server has run a scheduled task yet.");
      const late = tasks.filter(({ seconds }) => seconds > THRESHOLDS.leaseSeconds);
      if (late.length === 0) return ok(`${tasks.length} tasks are on time.`);
      return failed(
        `No server has taken ${late.map(({ name, seconds }) => `${name} for ${span(seconds)}`).join(", ")}.`,
      );
    },
  },
  jobs: {
    title: "Jobs",
    alert: "GatehouseJobLate",
    judge({ at, jobs }) {
      const of = (state: string) =>
        jobs.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0);
      const due = jobs.filter(({ state }) => state === "due").toSorted((a, b) => a.oldestAt - b.oldestAt);
      const counts = `${of("due")} due, ${of("running")} running, ${of("waiting")} waiting, ${of("dead")} dead`;
      const [oldest] = due;
      if (oldest && at - oldest.oldestAt > THRESHOLDS.jobSeconds)
        return failed(`A job of ${oldest.queue} has been due for ${span(at - oldest.oldestAt)}. ${counts}.`);
      return of("dead") > 0 ? warning(`${counts}. See gatehouse jobs list --dead.`) : ok(`${counts}.`);
    },
  },
  deliveries: {
    title: "Webhook deliveries",
    alert: "GatehouseSignatureFailures",
    judge({ jobs, deliveries: { all, badSignatures } }) {
      const waiting = jobs
        .filter(({ queue, state }) => state !== "dead" && /^(webhook|forward)(:|$)/.test(queue))
        .reduce((sum, { count }) => sum + count, 0);
      const received = `${all} received since the last full hour, ${waiting} waiting for their handlers`;
      return all >= ENOUGH_DELIVERIES && badSignatures / all > THRESHOLDS.badSignatures
        ? failed(`${percent(badSignatures / all)} of the signatures are wrong. ${received}.`)
        : ok(`${received}.`);
    },
  },
  refusals: {
    title: "Refusals",
    alert: "GatehouseRefreshReuse",
    judge({ refusals }) {
      const reused = refusals.find(({ cause }) => cause === "refresh_token_reused");
      const most = refusals.slice(0, MOST_CAUSES).map(({ cause, count }) => `${cause} ${count}`);
      const list =
        most.length === 0 ? "None since the last full hour." : `Since the last full hour: ${most.join(", ")}.`;
      return reused ? warning(`${reused.count} refresh tokens were used twice. ${list}`) : ok(list);
    },
  },
  signingKeys: {
    title: "Signing keys",
    alert: "GatehouseSigningKeyLate",
    judge({ signingKeys }) {
      if (signingKeys.length === 0) return ok("No key yet: the first signed token makes one.");
      const list = signingKeys.map(({ algorithm, ageSeconds }) => `${algorithm} ${span(ageSeconds)}`).join(", ");
      const late = signingKeys.some(({ ageSeconds }) => ageSeconds > THRESHOLDS.signingKeySeconds);
      return late ? failed(`A signing key is late for its rotation: ${list}.`) : ok(`${list} old.`);
    },
  },
  seal: {
    title: "Stored secrets",
    alert: "GatehouseOldSealKey",
    judge: ofHost(({ oldSealKeys: old }) =>
      old.length === 0
        ? ok("All are sealed with the current secret.")
        : warning(`Some are still sealed with an old secret (key ${old.join(", ")}). Run gatehouse seal rewrap.`),
    ),
  },
  sweep: {
    title: "Sweeper",
    alert: "GatehouseSweepLag",
    judge({ sweepLag }) {
      const [table, seconds] = Object.entries(sweepLag).toSorted(([, a], [, b]) => b - a)[0] ?? ["", 0];
      return seconds > THRESHOLDS.sweepSeconds
        ? failed(`Rows of ${table} should have been deleted ${span(seconds)} ago.`)
        : ok(`The oldest row to delete has been due for ${span(seconds)}.`);
    },
  },
  partitions: {
    title: "Partitions",
    alert: "GatehousePartitionsMissing",
    judge({ partitions }) {
      if (partitions.length === 0) return ok("No table is partitioned.");
      const late = partitions.filter(({ ahead }) => ahead < THRESHOLDS.partitionsAhead);
      return late.length === 0
        ? ok(`${partitions.map(({ table, ahead }) => `${table} has ${ahead} ahead`).join(", ")}.`)
        : failed(
            `No partition is ahead for ${late.map(({ table }) => table).join(", ")}. Run gatehouse db partition --keep as the owner of the tables.`,
          );
    },
  },
  strayRows: {
    title: "Rows without a partition",
    alert: "GatehousePartitionStrayRows",
    judge({ partitions }) {
      const stray = partitions.filter(({ strayRows }) => strayRows > 0);
      return stray.length === 0
        ? ok("None.")
        : warning(
            `${stray.map(({ table, strayRows }) => `${strayRows} of ${table}`).join(", ")}: a clock is wrong, or partitions were late.`,
          );
    },
  },
  backups: {
    title: "Backups",
    alert: "GatehouseBackupOld",
    judge: ({ at, host }) => (host ? judgeBackups(at, host.backups) : ok("Not visible from here.")),
  },
  disk: {
    title: "Disk",
    alert: "GatehouseDiskLow",
    judge: ofHost(({ disk }) => {
      if (disk === null) return ok("The data is on the database server.");
      const share = disk.freeBytes / disk.totalBytes;
      const sentence = `${(disk.freeBytes / GIB).toFixed(1)} GiB free, ${percent(share)}.`;
      return share < THRESHOLDS.diskFree ? failed(sentence) : ok(sentence);
    }),
  },
  wal: {
    title: "SQLite’s log",
    alert: "GatehouseWalLong",
    judge: ofHost(({ walBytes }) => {
      if (walBytes === null) return ok("There is none: the database is PostgreSQL.");
      const sentence = `${(walBytes / 2 ** 20).toFixed(1)} MiB.`;
      return walBytes > THRESHOLDS.walBytes
        ? failed(`${sentence} A reader holds it: a backup, a shell or a replica.`)
        : ok(sentence);
    }),
  },
  certificate: {
    title: "Certificate",
    alert: null,
    judge({ at, host }) {
      if (!host) return ok("Not visible from here.");
      if (host.certificate === null) return ok("The proxy in front has it.");
      const { endsAt } = host.certificate;
      if (endsAt === null) return warning("The file of GATEHOUSE_TLS_CERT_FILE cannot be read from here.");
      const left = endsAt - at;
      if (left <= 0) return failed("It has expired.");
      return left < THRESHOLDS.certificateSeconds
        ? warning(`It expires in ${span(left)}.`)
        : ok(`It is valid for ${span(left)}.`);
    },
  },
} as const satisfies Record<string, ItemDefinition>;

export type ItemName = keyof typeof ITEMS;

const NO_BACKUP = {
  folder: "There is none. Set GATEHOUSE_BACKUP_DIR, or run gatehouse backup.",
  store: "None is in the object store yet. The server’s log says what fails.",
  dumps: "No dump is in GATEHOUSE_BACKUP_DIR.",
} as const;

function judgeBackups(at: number, { madeAt, verifiedAt, restoredAt, by }: Backups): Verdict {
  const restored = restoredAt === null ? "" : ` The database was restored ${span(at - restoredAt)} ago.`;
  if (by === "others")
    return ok(`The tools of PostgreSQL or its provider make them; their age is not known here.${restored}`);
  if (madeAt === null) return warning(`${NO_BACKUP[by]}${restored}`);
  const made = `The newest ${by === "store" ? "in the object store " : ""}is ${span(at - madeAt)} old`;
  if (at - madeAt > THRESHOLDS.backupSeconds) return failed(`${made}.${restored}`);
  if (verifiedAt === null) return ok(`${made}; none was restored for a test yet.${restored}`);
  const verified = `${made}; one was verified ${span(at - verifiedAt)} ago.${restored}`;
  return at - verifiedAt > THRESHOLDS.verifiedSeconds ? warning(verified) : ok(verified);
}

function ofHost(judge: (host: HostFacts) => Verdict): ItemDefinition["judge"] {
  return ({ host }) => (host ? judge(host) : ok("Not visible from here."));
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** A span of time for people: its largest unit. */
function span(seconds: number): string {
  if (seconds >= 2 * DAY) return `${Math.floor(seconds / DAY)} days`;
  if (seconds >= 2 * HOUR) return `${Math.floor(seconds / HOUR)} h`;
  if (seconds >= 2 * MINUTE) return `${Math.floor(seconds / MINUTE)} min`;
  return `${Math.max(0, Math.floor(seconds))} s`;
}
