import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { newestDump } from "@gatehouse/db/backup/dumps";
import { recordBackup } from "@gatehouse/db/backup/record";
import { metrics, takeSnapshot } from "@gatehouse/runtime/metrics";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepGauges } from "./gauges.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { readSettings } from "./settings/settings.ts";

const log = { info() {}, warn() {}, error() {} };
const [MADE, VERIFIED, LATER] = [1_800_000_000, 1_799_000_000, 1_800_003_600];
const FILE = "/backups/one.db";

let folder: string;
let opened: Installation[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-host-"));
  opened = [];
});
afterEach(async () => {
  for (const installation of opened) await installation.close();
  rmSync(folder, { recursive: true });
});

async function open(variables: Record<string, string> = {}): Promise<Installation> {
  const own = {
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_BACKUP_DIR: join(folder, "kept"),
    GATEHOUSE_SECRET: "a secret of 32 bytes or even more",
  };
  const installation = await openInstallation(readSettings({ ...own, ...variables }, folder), { log, migrations: [] });
  opened.push(installation);
  return installation;
}

async function migrated(variables?: Record<string, string>): Promise<Installation> {
  const installation = await open(variables);
  await installation.database.migrate();
  return installation;
}

const record = ({ deps }: Installation) =>
  recordBackup(deps.db, {
    made: { file: FILE, at: MADE, bytes: 1 },
    verified: { file: FILE, at: VERIFIED, rows: 1, milliseconds: 1 },
  });

const NONE = { madeAt: null, verifiedAt: null, restoredAt: null };
const backupsOf = async ({ deps }: Installation) => (await deps.host?.())?.backups;

test("OP-53 a verified backup is known from the database, and one that was made where its folder cannot be seen", async () => {
  const installation = await migrated();
  expect(await backupsOf(installation)).toEqual({ ...NONE, by: "folder" });
  await record(installation);
  expect(await backupsOf(installation)).toMatchObject({ madeAt: MADE, verifiedAt: VERIFIED });
});

test("OP-53 where the folder can be seen, the newest backup is what is in it", async () => {
  const installation = await migrated();
  await record(installation);
  mkdirSync(join(folder, "kept"));
  expect(await backupsOf(installation)).toMatchObject({ madeAt: null, verifiedAt: VERIFIED });
  const made_at = new Date(LATER * 1000).toISOString();
  writeFileSync(join(folder, "kept/two.db.json"), JSON.stringify({ format: 1, made_at }));
  expect(await backupsOf(installation)).toMatchObject({ madeAt: null, verifiedAt: VERIFIED }); // its file is gone
  writeFileSync(join(folder, "kept/two.db"), "");
  expect(await backupsOf(installation)).toMatchObject({ madeAt: LATER, verifiedAt: VERIFIED });
});

test("OP-53 with an object store, what counts is what is there", async () => {
  const installation = await migrated({ GATEHOUSE_BACKUP_S3: "s3://backups" });
  await record(installation);
  expect(await backupsOf(installation)).toMatchObject({ madeAt: null, by: "store" });
  await recordBackup(installation.deps.db, {
    stored: { file: "s3://backups/one.db", at: LATER },
    restored: { at: MADE },
  });
  expect(await backupsOf(installation)).toEqual({ madeAt: LATER, verifiedAt: VERIFIED, restoredAt: MADE, by: "store" });
});

test("OP-53 of PostgreSQL's dumps the folder that GATEHOUSE_BACKUP_DIR names is watched", () => {
  expect(newestDump(join(folder, "none"))).toEqual({ madeAt: null, verifiedAt: null });
  for (const [name, at] of [
    ["a.dump", MADE],
    ["b.dump", LATER],
    ["a.dump.verified", VERIFIED],
    ["c.dump.partial", LATER + 9],
  ] as const) {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), at, at);
  }
  expect(newestDump(folder)).toEqual({ madeAt: LATER, verifiedAt: VERIFIED });
});

test("OP-79 before the first migration there is no record to read", async () => {
  expect(await backupsOf(await open())).toEqual({ ...NONE, by: "folder" });
});

test("OP-79 the end of the server's own certificate: none behind a proxy, unknown if the file cannot be read", async () => {
  const [pem = ""] = rootCertificates;
  writeFileSync(join(folder, "cert.pem"), pem);
  const withTls = (certFile: string) =>
    open({
      GATEHOUSE_ISSUER: "https://id.example.com",
      GATEHOUSE_EMAIL_SIGN_IN: "off",
      GATEHOUSE_TLS_CERT_FILE: join(folder, certFile),
      GATEHOUSE_TLS_KEY_FILE: join(folder, "key.pem"),
    });
  const certificateOf = async ({ deps }: Installation) => (await deps.host?.())?.certificate;
  expect(await certificateOf(await open())).toBeNull();
  expect(await certificateOf(await withTls("none.pem"))).toEqual({ endsAt: null });
  const endsAt = Date.parse(new X509Certificate(pem).validTo) / 1000;
  expect(await certificateOf(await withTls("cert.pem"))).toEqual({ endsAt });
});

test("OP-53 OP-75 a scrape has when a backup was made and verified", async () => {
  const installation = await migrated();
  await record(installation);
  const end = keepGauges(installation);
  const snapshot = await takeSnapshot();
  end();
  expect(snapshot[metrics.backupSuccess.name]).toEqual({ "": [MADE] });
  expect(snapshot[metrics.backupVerified.name]).toEqual({ "": [VERIFIED] });
});
