import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBackupRecord } from "@gatehouse/db/backup/record";
import { openDatabase } from "@gatehouse/db/database";
import { ACCESS_KEY, startObjectStore } from "@gatehouse/installation/backup/testing";
import { expect, test } from "vitest";
import { signIn } from "../harness/flow.ts";
import { gatehouse, startWeb } from "../harness/gatehouse.ts";
import { newInstallation } from "../harness/installation.ts";

test("OP-51 OP-53 a server makes a backup in a process of its own, copies it to an object store and tries it; a new machine is restored from there", async () => {
  const store = await startObjectStore();
  const { port, issuer, folder, env, remove } = await newInstallation("sqlite", {
    GATEHOUSE_BACKUP_S3: "s3://backups/gatehouse",
    GATEHOUSE_BACKUP_S3_ENDPOINT: store.endpoint,
    GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID: ACCESS_KEY.accessKeyId,
    GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY: ACCESS_KEY.secretAccessKey,
  });
  let server = await startWeb(env, port);
  try {
    await expect.poll(server.output, { timeout: 60_000 }).toContain('"a backup was made"');
    const ada = await signIn(issuer, "races");
    await server.stop();
    expect(server.child.exitCode).toBe(0);
    expect(server.output()).not.toContain("the backup failed");

    const listed = (await gatehouse(["backup", "list"], env)) as { file: string; made_at: string }[];
    expect(listed.map(({ file }) => file)).toEqual([
      expect.stringContaining(join(folder, "backups")),
      expect.stringMatching(/^s3:\/\/backups\/gatehouse\/gatehouse-.+Z\.db$/),
    ]);
    const { file = "", made_at } = listed[1] ?? {};
    const elsewhere = {
      ...env,
      DATABASE_URL: `file:${join(folder, "new.db")}`,
      GATEHOUSE_DATA_DIR: join(folder, "new"),
    };
    expect(await gatehouse(["backup", "verify", file], elsewhere)).toMatchObject({ verified: true, file });
    expect(await gatehouse(["restore", file], elsewhere)).toMatchObject({ restored: file, made_at });
    expect(readdirSync(join(folder, "new", "backups"))).toEqual([]); // what was fetched is gone

    server = await startWeb(elsewhere, port);
    expect((await ada.request("/api/protected/me")).status).toBe(401); // the restore ended it
    expect((await (await signIn(issuer, "races")).request("/api/protected/me")).status).toBe(200);
    await server.stop();
    const database = await openDatabase(elsewhere.DATABASE_URL);
    expect(await readBackupRecord(database.db)).toMatchObject({ restored: { at: expect.any(Number) } });
    await database.close();
  } finally {
    await server.crash();
    await store.close();
    await remove();
  }
}, 180_000);
