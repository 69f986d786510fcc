import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readBackupRecord } from "@gatehouse/db/backup/record";
import { holdLease } from "@gatehouse/db/stores/jobs/leases";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../installation.ts";
import { requireSchema } from "../schema.ts";
import { assertSecretInForce } from "../secret-in-force.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { drillBackup } from "./drill.ts";
import { type ScheduledBackup, scheduledBackup } from "./scheduled.ts";
import { ACCESS_KEY, startObjectStore, type TestObjectStore } from "./testing/object-store.ts";

const DAY = 86_400_000;
const log = { info() {}, warn() {}, error() {} };

let folder: string;
let settings: Settings;
let installation: Installation;
let at: number;
const tools = { random: randomBytes, now: () => new Date(at), report: () => {} };

async function open(variables: Record<string, string> = {}): Promise<void> {
  const own = { GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "s".repeat(32), GATEHOUSE_BACKUP_KEEP: "2d0w0m" };
  settings = readSettings({ ...own, ...variables }, folder);
  installation = await openInstallation(settings, { log });
  await requireSchema(installation.database, { create: true });
  await assertSecretInForce(installation.deps);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-scheduled-"));
  at = Date.parse("2026-11-23T03:00:00Z");
});
afterEach(async () => {
  await installation.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(options: { ifDue?: boolean } = {}): Promise<ScheduledBackup> {
  const done = await scheduledBackup(settings, installation.deps.db, { ...tools, ...options });
  if (done === "busy") throw new Error("busy");
  return done;
}
const record = () => readBackupRecord(installation.deps.db);
const entries = () => readdirSync(settings.backups.dir);
const files = () => entries().filter((name) => name.endsWith(".db"));
const leftovers = () => entries().filter((name) => name.startsWith(".") || name.includes("partial"));

describe("scheduled backups", () => {
  test("OP-51 OP-53 each day makes one; each week one is restored aside and checked; old ones go, but not the last verified", async () => {
    await open();
    const first = await run();
    expect(first.drill).toMatchObject({ file: first.made, rows: expect.any(Number), milliseconds: expect.any(Number) });
    for (let day = 1; day < 5; day++) {
      at += DAY;
      expect(await run()).toMatchObject({ drill: undefined });
    }
    expect(files()).toHaveLength(3);
    expect(files()).toContain(basename(first.made ?? ""));
    expect(await record()).toMatchObject({ made: { at: at / 1000 }, verified: { file: first.made } });
    at += 3 * DAY;
    const week = await run();
    expect(week).toMatchObject({ drill: { at: at / 1000 }, deleted: expect.arrayContaining([first.made]) });
    expect(leftovers()).toEqual([]);
  });

  test("OP-51 a server makes one only when the newest is too old", async () => {
    await open({ GATEHOUSE_BACKUP_DIR: join(folder, "kept"), GATEHOUSE_BACKUP_EVERY: "6h" });
    const { made } = await run({ ifDue: true });
    expect(made).not.toBeNull();
    at += 5 * 3_600_000;
    expect(await run({ ifDue: true })).toMatchObject({ made: null });
    at += 3_600_000;
    expect((await run({ ifDue: true })).made).not.toBeNull();
  });

  test("OP-51 what a killed process left is deleted, and no lease stays behind that nobody would take", async () => {
    await open();
    for (const name of [".making-x", ".drill-x"]) mkdirSync(join(settings.backups.dir, name), { recursive: true });
    await run();
    expect(leftovers()).toEqual([]);
    const { leases } = installation.deps.db.tables;
    expect(await installation.deps.db.select().from(leases)).toEqual([]);
  });

  test("OP-53 a drill that fails says why, changes no record and leaves nothing behind", async () => {
    await open();
    const { made } = await run();
    const before = await record();
    truncateSync(made ?? "", 8_192);
    at += DAY;
    await expect(drillBackup(made ?? "", settings, installation.deps.db, tools)).rejects.toThrow("SHA-256 differs");
    expect(await record()).toEqual(before);
    expect(leftovers()).toEqual([]);
  });

  test("OP-22 of several machines one makes it", async () => {
    await open();
    const { db } = installation.deps;
    expect(await holdLease(db, "backup_run", "another machine", 60)).toBe(true);
    expect(await scheduledBackup(settings, db, tools)).toBe("busy");
  });
});

describe("scheduled backups with an object store", () => {
  let server: TestObjectStore;
  beforeEach(async () => {
    server = await startObjectStore();
    await open({
      GATEHOUSE_BACKUP_S3: "s3://backups/gatehouse",
      GATEHOUSE_BACKUP_S3_ENDPOINT: server.endpoint,
      GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID: ACCESS_KEY.accessKeyId,
      GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY: ACCESS_KEY.secretAccessKey,
    });
  });
  afterEach(() => server.close());

  test("OP-51 OP-53 are copied and tried from there; old ones go there, and only the newest stays in the folder", async () => {
    const first = await run();
    const url = `s3://backups/gatehouse/${basename(first.made ?? "")}`;
    expect(first).toMatchObject({ copied: [url], drill: { file: url } });
    expect(await record()).toMatchObject({ stored: { file: url, at: at / 1000 }, verified: { file: url } });
    const urls = [url];
    for (let day = 1; day < 4; day++) {
      at += DAY;
      urls.push(...(await run()).copied);
      expect(files()).toHaveLength(1);
    }
    const now = await run({ ifDue: true });
    expect(now).toMatchObject({ made: null, copied: [], deleted: [] });
    // Two days, and the verified one.
    const listed = server.requests.length;
    await run({ ifDue: true });
    const read = server.requests.slice(listed).filter((one) => one.startsWith("GET") && one.endsWith(".json"));
    expect(read.map((one) => one.split("/").at(-1)?.slice(0, -".json".length)).toSorted()).toEqual(
      [urls[0], urls[2], urls[3]].map((one) => basename(one ?? "")).toSorted(),
    );
  });

  test("OP-51 those of days when the store was down are copied once it is back, and none is deleted before", async () => {
    server.refuse(() => ({ status: 503, code: "ServiceUnavailable" }));
    await expect(run()).rejects.toThrow("503");
    at += DAY;
    await expect(run()).rejects.toThrow("503");
    expect(files()).toHaveLength(2);
    expect((await record()).stored).toBeNull();
    server.refuse(() => undefined);
    expect(await run({ ifDue: true })).toMatchObject({ made: null, copied: [expect.any(String), expect.any(String)] });
    expect(files()).toHaveLength(1);
  }, 30_000);

  test("OP-51 a store that forbids to delete keeps them, and the backup is none the worse for it", async () => {
    server.refuse(({ method }) => (method === "DELETE" ? { status: 403, code: "AccessDenied" } : undefined));
    for (let day = 0; day < 4; day++) {
      await run();
      at += DAY;
    }
    expect((await record()).stored?.at).toBe(at / 1000 - 86_400);
  });
});
