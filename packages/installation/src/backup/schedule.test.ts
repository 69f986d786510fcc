import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordBackup } from "@gatehouse/db/backup/record";
import { endLease, forgetLease, holdLease } from "@gatehouse/db/stores/jobs/leases";
import { createSchedule, type Schedule } from "@gatehouse/work/jobs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../installation.ts";
import { readSettings } from "../settings/settings.ts";
import { scheduleBackups } from "./schedule.ts";

let folder: string;
let installation: Installation;
let schedule: Schedule;
let children: ChildProcess[];
let errors: object[];
const log = { info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-schedule-"));
  children = [];
  errors = [];
});
afterEach(async () => {
  schedule.stop();
  await schedule.settled();
  await installation.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(variables: Record<string, string> = {}): Promise<void> {
  const own = { GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "s".repeat(32), GATEHOUSE_BACKUP_DIR: folder };
  installation = await openInstallation(readSettings({ ...own, ...variables }, folder), { log, migrations: [] });
  await installation.database.migrate();
  schedule = createSchedule({ db: installation.database.background, log, holder: "this server" });
}

/** Starts the schedule; its process runs `code`. Resolves when its first turn is over, or the process has started. */
async function start(code: string): Promise<string[]> {
  const holders: string[] = [];
  scheduleBackups(schedule, installation, (holder) => {
    holders.push(holder);
    const child = spawn(process.execPath, ["-e", code], { stdio: "ignore" });
    children.push(child);
    return child;
  });
  await schedule.settled();
  return holders;
}

/** A manifest with its file, which is all that is looked at. */
function backup(secondsAgo: number): number {
  const madeAt = Math.floor(Date.now() / 1000) - secondsAgo;
  writeFileSync(join(folder, "one.db"), "");
  writeFileSync(
    join(folder, "one.db.json"),
    JSON.stringify({ format: 1, made_at: new Date(madeAt * 1000).toISOString() }),
  );
  return madeAt;
}

describe("OP-51 a server's backups", () => {
  test("are made by a process of their own where the newest is too old, and not before", async () => {
    await open();
    backup(23 * 3_600);
    expect(await start("")).toEqual([]);
    backup(24 * 3_600);
    await endLease(installation.database.background, "backup", "", 0);
    expect(await start("")).toEqual([expect.any(String)]);
    expect(errors).toEqual([]);
  });

  test("are due as long as the newest is not in the object store", async () => {
    await open({ GATEHOUSE_BACKUP_S3: "s3://backups" });
    const madeAt = backup(60);
    await recordBackup(installation.deps.db, { stored: { file: "s3://backups/old.db", at: madeAt - 10 } });
    expect(await start("")).toHaveLength(1);
    await recordBackup(installation.deps.db, { stored: { file: "s3://backups/one.db", at: madeAt } });
    await forgetLease(installation.database.background, "backup");
    expect(await start("")).toEqual([]);
  });

  test("end with the server, and the lease of the process that was killed is free at once", async () => {
    await open();
    const { background } = installation.database;
    const started = new Promise<string>((resolve) => {
      scheduleBackups(schedule, installation, (holder) => {
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
        children.push(child);
        resolve(holder);
        return child;
      });
    });
    expect(await holdLease(background, "backup_run", await started, 3_600)).toBe(true);
    const [child] = children;
    const gone = child && once(child, "exit");
    schedule.stop();
    await schedule.settled();
    expect(await gone).toEqual([null, "SIGKILL"]);
    expect(await holdLease(background, "backup_run", "another", 60)).toBe(true);
    expect(errors).toEqual([]);
  });

  test("that fail are logged", async () => {
    await open();
    await start("process.exit(1)");
    expect(errors).toEqual([{ code: 1, signal: null }]);
  });
});
