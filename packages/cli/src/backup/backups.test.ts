import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSession, sessionCookie, startSession } from "@gatehouse/auth";
import { passwordSignIn } from "@gatehouse/auth/testing";
import { listAuditHistory } from "@gatehouse/console/audit/queries";
import { createUser } from "@gatehouse/console/users/users";
import { listBackups } from "@gatehouse/db/backup/list";
import { openDatabase } from "@gatehouse/db/database";
import { insertFact, readFact } from "@gatehouse/db/facts";
import { DatabaseInUseError } from "@gatehouse/db/sqlite/file-lock";
import { readSettings, type Settings } from "@gatehouse/installation";
import { BackupError, makeBackup, verifyBackup } from "@gatehouse/installation/backup";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withInstallation } from "../installation.ts";
import { restore } from "./restore.ts";

let folder: string;
let settings: Settings;
let cookie: string;
const tools = { random: randomBytes, now: () => new Date(), report: () => {} };
const SECRET = "a secret of the tests, 32 bytes or more";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-backup-"));
  settings = readSettings({ GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: SECRET }, folder);
  cookie = await withInstallation(
    settings,
    async (deps) => {
      const draft = { email: "ada@example.com", name: "Ada", password: "correct horse battery", role: "user" } as const;
      const user = await createUser(draft, deps);
      const { session, secret } = await startSession(
        { user, userAgent: null, address: null, ...passwordSignIn(deps) },
        deps,
      );
      return sessionCookie(secret, session, deps.config);
    },
    { create: true },
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const database = () => join(folder, "gatehouse.db");
const isSignedIn = () => withInstallation(settings, async (deps) => (await readSession(cookie, deps)) !== undefined);
const write = (key: string, value = "1") => withInstallation(settings, ({ db }) => insertFact(db, key, value));
const fact = (key: string) => withInstallation(settings, ({ db }) => readFact(db, key));

describe("a backup, OP-51", () => {
  test("OP-51 is made while a server writes, contains everything committed before it started, and verifies", async () => {
    const server = await openDatabase(settings.databaseUrl);
    let writing = true;
    let committed = 0;
    const writer = (async () => {
      for (; writing; committed++) await insertFact(server.db, `fact ${committed}`, "x".repeat(2000));
    })();
    while (committed < 200) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = committed;
    const { file, tables } = await makeBackup(settings, undefined, tools);
    writing = false;
    await writer;
    await server.close();

    expect(tables["installation"]).toBeGreaterThanOrEqual(before);
    expect(await verifyBackup(file, settings, tools)).toMatchObject({ verified: true, file });
    expect(listBackups(settings.backups.dir)).toMatchObject([{ file, state: "present" }]);
    expect(readdirSync(settings.backups.dir)).toHaveLength(2);
  });

  test("OP-51 is readable by its owner only, and neither it nor its manifest contains the secret", async () => {
    const { file } = await makeBackup(settings, join(folder, "one.db"), tools);
    for (const path of [file, `${file}.json`]) {
      expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
      expect(readFileSync(path).includes(SECRET)).toBe(false);
    }
    await expect(makeBackup(settings, file, tools)).rejects.toThrow(/replaces nothing/);
  });

  test("OP-51 is not made with another secret, and then leaves nothing behind", async () => {
    const other = { ...settings, secret: "another secret, also 32 bytes or more" };
    await expect(makeBackup(other, undefined, tools)).rejects.toThrow(/another GATEHOUSE_SECRET/);
    expect(readdirSync(settings.backups.dir)).toEqual([]);
  });

  test("OP-51 verification finds one changed byte, a truncated file, and another secret", async () => {
    const { file } = await makeBackup(settings, join(folder, "one.db"), tools);
    await expect(
      verifyBackup(file, { ...settings, secret: "another secret, also 32 bytes or more" }, tools),
    ).rejects.toThrow(/key id [0-9a-f]{16}/);
    const bytes = readFileSync(file);
    for (const broken of [
      bytes.with(bytes.length - 10, bytes[bytes.length - 10] === 0 ? 1 : 0),
      bytes.subarray(0, bytes.length - 4096),
    ]) {
      writeFileSync(file, broken);
      await expect(verifyBackup(file, settings, tools)).rejects.toThrow(/SHA-256 differs/);
    }
    rmSync(`${file}.json`);
    await expect(verifyBackup(file, settings, tools)).rejects.toThrow(BackupError);
    await expect(verifyBackup(join(folder, "none.db"), settings, tools)).rejects.toThrow(/no file/);
  });

  test("on PostgreSQL names the tools to use", async () => {
    const postgres = { ...settings, databaseUrl: "postgres://localhost/x" };
    for (const ask of [
      () => makeBackup(postgres, undefined, tools),
      () => restore("x.db", postgres, { keepGrants: false, ...tools }),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringMatching(/pg_dump.*gatehouse restored/s),
      });
    }
  });
});

describe("restoring, OP-52", () => {
  async function backupThenWrite(): Promise<string> {
    await write("before");
    const { file } = await makeBackup(settings, join(folder, "one.db"), tools);
    await write("after");
    return file;
  }

  test("OP-52 replaces the database with the backup, keeps the old database, and ends every session", async () => {
    const file = await backupThenWrite();
    expect(await isSignedIn()).toBe(true);
    const { kept, ended, made_at, webhook_dedupe_gap } = await restore(file, settings, { keepGrants: false, ...tools });
    expect([await fact("before"), await fact("after"), await isSignedIn()]).toEqual(["1", undefined, false]);
    expect(ended).toMatchObject({ sessions: 1 });
    expect(webhook_dedupe_gap).toMatchObject({ from: made_at?.replace(/\.\d+/, ".000"), events_lost: 0 });
    const old = await openDatabase(`file:${kept}`);
    expect(await readFact(old.db, "after")).toBe("1");
    await old.close();
    expect((await verifyBackup(file, settings, tools)).verified).toBe(true);
  });

  test("CO-64 leaves a row in the audit log that it restored", async () => {
    const file = await backupThenWrite();
    await restore(file, settings, { keepGrants: true, ...tools });
    const rows = await withInstallation(settings, ({ reads }) =>
      listAuditHistory(reads, { objects: ["database"], limit: 5 }),
    );
    expect(rows).toMatchObject([{ action: "database.restore", via: "cli", detail: { kept_sessions: true } }]);
  });

  test("OP-52 keeps sessions only when told to", async () => {
    const file = await backupThenWrite();
    const { ended } = await restore(file, settings, { keepGrants: true, ...tools });
    expect([ended, await isSignedIn()]).toEqual([null, true]);
  });

  test("OP-52 is rejected while a server runs, and changes nothing; a server that was killed does not block it", async () => {
    const file = await backupThenWrite();
    const server = await openDatabase(settings.databaseUrl);
    await expect(restore(file, settings, { keepGrants: false, ...tools })).rejects.toThrow(DatabaseInUseError);
    await server.close();
    expect(await fact("after")).toBe("1");

    const killed = await holdOpen();
    await expect(restore(file, settings, { keepGrants: false, ...tools })).rejects.toThrow(DatabaseInUseError);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    await restore(file, settings, { keepGrants: false, ...tools });
    expect(await fact("after")).toBeUndefined();
  });

  test("OP-52 is rejected while a program that does not use our lock has the file open", async () => {
    const file = await backupThenWrite();
    const shell = await holdOpen("plainly");
    await expect(restore(file, settings, { keepGrants: false, ...tools })).rejects.toThrow(/Another program/);
    shell.kill("SIGKILL");
    await once(shell, "exit");
    expect(await fact("after")).toBe("1");
  });

  test("OP-52 a corrupt backup is rejected before anything changes", async () => {
    const file = await backupThenWrite();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.with(4096, (bytes[4096] ?? 0) ^ 1));
    await expect(restore(file, settings, { keepGrants: false, ...tools })).rejects.toThrow(BackupError);
    expect(await fact("after")).toBe("1");
  });

  test("OP-52 replaces a database that is corrupt or missing", async () => {
    const file = await backupThenWrite();
    writeFileSync(database(), "not a database at all");
    const { kept } = await restore(file, settings, { keepGrants: false, ...tools });
    expect(readFileSync(String(kept), "utf8")).toBe("not a database at all");
    expect(await fact("before")).toBe("1");

    rmSync(database());
    expect((await restore(file, settings, { keepGrants: false, ...tools })).kept).toBeNull();
    expect(await fact("before")).toBe("1");
    expect(existsSync(`${database()}.restoring`)).toBe(false);
  });

  /**
   * Another process that has the database open, as a server has or `plainly` as a shell has; with a read transaction
   * under way.
   */
  async function holdOpen(how: "as a server" | "plainly" = "as a server") {
    const driver = createRequire(import.meta.url).resolve("better-sqlite3");
    // The array keeps the connections: one that is garbage-collected closes its file.
    const open = (path: string) =>
      `{ const db = require(${JSON.stringify(driver)})(${JSON.stringify(path)}); db.exec("BEGIN"); db.prepare("SELECT * FROM sqlite_master").all(); held.push(db); }`;
    const files = how === "plainly" ? [database()] : [`${database()}.lock`, database()];
    const code = `const held = []; ${files.map(open).join(" ")} console.log("open"); setInterval(() => held.length, 1000)`;
    const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    return child;
  }
});
