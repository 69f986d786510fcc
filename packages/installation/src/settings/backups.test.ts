import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSettings } from "./settings.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-backup-settings-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (variables: Record<string, string>) =>
  readSettings({ GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "s".repeat(32), ...variables }, folder).backups;

describe("OP-51 when and where servers make backups", () => {
  test.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ GATEHOUSE_BACKUP_DIR: "kept" }, 86_400],
    [{ GATEHOUSE_BACKUP_S3: "s3://backups" }, 86_400],
    [{ GATEHOUSE_BACKUP_DIR: "kept", GATEHOUSE_BACKUP_EVERY: "6h" }, 21_600],
    [{ GATEHOUSE_BACKUP_DIR: "kept", GATEHOUSE_BACKUP_EVERY: "off" }, undefined],
    [{ GATEHOUSE_BACKUP_DIR: "kept", DATABASE_URL: "postgres://db/gatehouse" }, undefined],
  ])("%j: every %s seconds", (variables, seconds) => {
    expect(read(variables).everySeconds).toBe(seconds);
  });

  test.each([
    ["s3://backups", { bucket: "backups", prefix: "" }],
    ["s3://backups/", { bucket: "backups", prefix: "" }],
    ["s3://backups/of/gatehouse", { bucket: "backups", prefix: "of/gatehouse/" }],
  ])("%s names a bucket and a folder", (url, target) => {
    expect(read({ GATEHOUSE_BACKUP_S3: url }).objectStore.target).toEqual(target);
  });

  test("another store has a region that it need not name, and Amazon's is left to its SDK", () => {
    const { objectStore } = read({ GATEHOUSE_BACKUP_S3_ENDPOINT: "http://minio:9000" });
    expect(objectStore).toMatchObject({ endpoint: "http://minio:9000", region: "us-east-1", credentials: undefined });
    expect(read({}).objectStore).toMatchObject({ endpoint: undefined, region: undefined });
    expect(read({ GATEHOUSE_BACKUP_S3_ENCRYPTION: "aws:kms:key" }).objectStore.encryption).toEqual({
      algorithm: "aws:kms",
      keyId: "key",
    });
  });

  test.each<[string, Record<string, string>]>([
    ["GATEHOUSE_BACKUP_EVERY must be off, or hours", { GATEHOUSE_BACKUP_EVERY: "25h" }],
    ["GATEHOUSE_BACKUP_KEEP must say how many", { GATEHOUSE_BACKUP_KEEP: "7" }],
    ["GATEHOUSE_BACKUP_S3 must name a bucket", { GATEHOUSE_BACKUP_S3: "https://s3.example.com/backups" }],
    [
      "GATEHOUSE_BACKUP_S3 is for SQLite only",
      { GATEHOUSE_BACKUP_S3: "s3://backups", DATABASE_URL: "postgres://db/gatehouse" },
    ],
    ["GATEHOUSE_BACKUP_S3_ENDPOINT must be a URL", { GATEHOUSE_BACKUP_S3_ENDPOINT: "http://s3.example.com" }],
    ["GATEHOUSE_BACKUP_S3_ENDPOINT must be a URL", { GATEHOUSE_BACKUP_S3_ENDPOINT: "https://s3.example.com/backups" }],
    ["GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY must be set with", { GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID: "AKIA" }],
    ["GATEHOUSE_BACKUP_S3_ACCESS_KEY_ID must be set with", { GATEHOUSE_BACKUP_S3_SECRET_ACCESS_KEY: "x" }],
    ["GATEHOUSE_BACKUP_S3_ENCRYPTION must be AES256", { GATEHOUSE_BACKUP_S3_ENCRYPTION: "rot13" }],
  ])("OP-11 %s", (message, variables) => {
    expect(() => read(variables)).toThrow(message);
  });
});
