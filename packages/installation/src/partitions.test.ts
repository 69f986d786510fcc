import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintAccessToken } from "@gatehouse/auth";
import { partitionTables, sizePartitions } from "@gatehouse/db/partitions/run";
import { PARTITIONED_NAMES } from "@gatehouse/db/partitions/tables";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { metrics, takeSnapshot } from "@gatehouse/runtime/metrics";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openInstallation } from "./installation.ts";
import { startMaintenance } from "./maintenance.ts";
import { readSettings } from "./settings/settings.ts";

const [postgres] = engines.filter(({ name }) => name === "postgres");

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-partitions-"));
  database = (await postgres?.open({ fresh: true })) as TestDatabase;
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test("OP-35 a server makes the partitions that are missing, and its metrics have those ahead and rows without one", async () => {
  await partitionTables(database.url, PARTITIONED_NAMES, () => {});
  const partitionsOf = async () =>
    (await sizePartitions(database.url)).flatMap(({ partitions }) => partitions.map(({ name }) => name));
  const before = await partitionsOf();
  const last = before.findLast((name) => /^access_tokens_\d+$/.test(name)) ?? "";
  if (database.engine.dialect === "postgres") await database.engine.pool.query(`DROP TABLE ${last}`);
  const { accessTokens } = database.db.tables;
  const expiresAt = Math.floor(Date.now() / 1000) + 400 * 86_400;
  await database.db.insert(accessTokens).values({
    ...mintAccessToken(expiresAt, (length) => Buffer.alloc(length)),
    clientId: "c",
    clientEpoch: 0,
    scope: "s",
    audience: "a",
    environment: "production",
    issuedAt: 1,
    expiresAt,
  });

  let resolve = (_: object) => {};
  const made = new Promise<object>((found) => {
    resolve = found;
  });
  const info = (fields: object, message: string) => {
    if (message.startsWith("partitions were made")) resolve(fields);
  };
  const environment = readSettings(
    { DATABASE_URL: database.url, GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "a secret for the tests, 32 bytes" },
    folder,
  );
  const installation = await openInstallation(environment, { log: { info, warn() {}, error() {} } });
  const maintenance = startMaintenance(installation);
  expect(await made).toEqual({ added: [last], dropped: [] });
  expect(await partitionsOf()).toEqual(before);
  const snapshot = await takeSnapshot();
  await maintenance.stop(0);
  await installation.close();
  const valuesOf = ({ name }: { name: string }) => Object.values(snapshot[name] ?? {}).flat();
  expect(valuesOf(metrics.partitionsAhead)).toEqual([2, 2, 1]);
  expect(valuesOf(metrics.partitionStrayRows)).toEqual([1, 0, 0]);
});
