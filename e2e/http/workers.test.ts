import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { obtainCode, redeem, signIn } from "../harness/flow.ts";
import { apply, startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

describe("WEB_CONCURRENCY=2", () => {
  let folder: string;
  let env: Record<string, string>;
  let issuer: string;
  let port: number;
  let server: Running;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-workers-"));
    port = await freePort();
    issuer = `http://localhost:${port}`;
    const own = { GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: folder, DATABASE_URL: `file:${join(folder, "gatehouse.db")}` };
    env = { ...inject("env"), ...own, WEB_CONCURRENCY: "2" };
    await apply(fixture(), folder, env);
    server = await startWeb(env, port);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The child processes of the first one. */
  const workers = () =>
    execFileSync("ps", ["-o", "pid=", "--ppid", String(server.child.pid)], { encoding: "utf8" })
      .trim()
      .split(/\s+/)
      .map(Number);

  test("N32 of 50 parallel redemptions over both workers exactly one succeeds", async () => {
    expect(workers()).toHaveLength(2);
    const obtained = await obtainCode(await signIn(issuer, "races"), CLIENTS.web);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(issuer, CLIENTS.web, obtained)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("a port in use is reported once, and no process is left", async () => {
    const second = await startWeb(env, port); // the first one answers on this port
    await expect.poll(() => second.child.exitCode, { timeout: 60_000 }).toBe(1);
    expect(second.output().match(/Port \d+ is in use/g)).toHaveLength(1);
  });

  test("a killed worker is replaced", async () => {
    const [victim = 0, survivor = 0] = workers();
    process.kill(victim, "SIGKILL");
    await expect.poll(() => workers().filter((pid) => pid !== victim && pid !== survivor), { timeout: 60_000 }).toHaveLength(1);
    // Open connections to the killed worker break once.
    await expect.poll(async () => (await send(issuer, "/readyz")).status, { timeout: 60_000 }).toBe(200);
  });
});
