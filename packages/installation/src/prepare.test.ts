import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MigrationSource } from "@gatehouse/db/migrations/read";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Installation, openInstallation } from "./installation.ts";
import { prepare } from "./prepare.ts";
import { AnotherSecretError } from "./secret-in-force.ts";
import { readSettings } from "./settings/settings.ts";

const [A, B] = ["the first secret, 32 bytes or more", "the second secret, 32 bytes or more"];
const log = { info() {}, warn() {}, error() {} };

let folder: string;
let opened: Installation[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-prepare-"));
  opened = [];
});
afterEach(async () => {
  for (const installation of opened) await installation.close();
  rmSync(folder, { recursive: true });
});

async function open(secret: string, migrations: readonly MigrationSource[] = []): Promise<Installation> {
  const settings = readSettings({ GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: secret }, folder);
  const installation = await openInstallation(settings, { log, migrations });
  opened.push(installation);
  return installation;
}

/** What a later release adds. */
function release(): MigrationSource {
  const migrations = join(folder, "release/sqlite");
  mkdirSync(join(migrations, "meta"), { recursive: true });
  writeFileSync(
    join(migrations, "meta/_journal.json"),
    JSON.stringify({ entries: [{ idx: 0, tag: "0000_next", when: 1 }] }),
  );
  writeFileSync(join(migrations, "0000_next.sql"), "CREATE TABLE `next` (`id` text PRIMARY KEY NOT NULL);");
  return { folder: join(folder, "release"), ledger: "release_migrations" };
}

test("a start migrates, seals the database with its secret and creates the first admin; the next start does none of that", async () => {
  const first = await open(A);
  expect(await prepare(first)).toMatchObject({ made: { email: "admin@example.com", generated: true, first: true } });
  expect((await first.database.schema()).kind).toBe("current");
  expect(await prepare(await open(A))).toEqual({});
});

test("OP-14 a start with another secret is refused before it migrates", async () => {
  await prepare(await open(A));
  const wrong = await open(B, [release()]);
  await expect(prepare(wrong)).rejects.toThrow(AnotherSecretError);
  expect(await wrong.database.schema()).toMatchObject({ kind: "older", missing: ["0000_next"] });

  const right = await open(A, [release()]);
  await prepare(right);
  expect((await right.database.schema()).kind).toBe("current");
});
