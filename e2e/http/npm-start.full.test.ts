import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PATIENCE, type Started, serving, startBoth } from "../harness/npm-start.ts";

let folder: string;
let started: Started | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-npm-start-"));
});
afterEach(() => {
  if (started?.child.exitCode === null && started.child.signalCode === null) started.child.kill("SIGTERM");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(["npm", "script"] as const)("a signal to %s alone", (command) => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "%s leaves nothing running, and the database closed",
    async (signal) => {
      const both = await startBoth(command, { GATEHOUSE_DATA_DIR: folder });
      started = both;
      expect(await serving(both)).toEqual([true, true]);
      both.child.kill(signal);
      await expect.poll(() => serving(both), PATIENCE).toEqual([false, false]);
      await expect.poll(() => existsSync(join(folder, "gatehouse.db-wal")), PATIENCE).toBe(false);
    },
    120_000,
  );
});
