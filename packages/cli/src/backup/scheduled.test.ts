import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBackupRecord } from "@gatehouse/db/backup/record";
import { holdLease } from "@gatehouse/db/stores/jobs/leases";
import { readSettings, type Settings } from "@gatehouse/installation";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withInstallation } from "../installation.ts";
import { drillBackup, scheduledBackup } from "./scheduled.ts";

const DAY = 86_400_000;
const KEEP = { days: 2, weeks: 0, months: 0 };

let folder: string;
let settings: Settings;
let at: number;
const tools = { random: randomBytes, now: () => new Date(at), report: () => {} };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-scheduled-"));
  settings = readSettings({ GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "s".repeat(32) }, folder);
  at = Date.parse("2026-11-23T03:00:00Z");
  await withInstallation(settings, async () => {}, { create: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = () => withInstallation(settings, ({ db }) => scheduledBackup({ ...settings, keep: KEEP }, db, tools));
const record = () => withInstallation(settings, ({ db }) => readBackupRecord(db));
const files = () => readdirSync(settings.backupDir).filter((name) => name.endsWith(".db"));

describe("backups by a timer", () => {
  test("OP-51 OP-53 each day makes one; each week one is restored aside and checked; old ones go, but not the last verified", async () => {
    const first = await run();
    if (first === "busy") throw new Error("busy");
    expect(first.drill).toMatchObject({ file: first.made, rows: expect.any(Number), milliseconds: expect.any(Number) });
    for (let day = 1; day < 5; day++) {
      at += DAY;
      expect(await run()).toMatchObject({ drill: undefined });
    }
    expect(files()).toHaveLength(3);
    expect(files()).toContain(first.made.split("/").at(-1));
    expect(await record()).toMatchObject({ made: { at: at / 1000 }, verified: { file: first.made } });
    at += 3 * DAY;
    const week = await run();
    expect(week).toMatchObject({ drill: { at: at / 1000 }, deleted: expect.arrayContaining([first.made]) });
    expect(readdirSync(settings.backupDir).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("OP-53 a drill that fails says why, changes no record and leaves nothing behind", async () => {
    const made = await run();
    if (made === "busy") throw new Error("busy");
    const before = await record();
    truncateSync(made.made, 8_192);
    at += DAY;
    const drill = withInstallation(settings, ({ db }) => drillBackup(made.made, settings, db, tools));
    await expect(drill).rejects.toThrow("SHA-256 differs");
    expect(await record()).toEqual(before);
    expect(readdirSync(settings.backupDir).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("OP-22 of several machines one makes it", async () => {
    await withInstallation(settings, async ({ db }) => {
      expect(await holdLease(db, "backup", "another machine", 60)).toBe(true);
      expect(await scheduledBackup({ ...settings, keep: KEEP }, db, tools)).toBe("busy");
    });
  });
});
