import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBusyClients, TOKEN, terminate } from "../harness/busy-clients.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { obtainCode, redeem, signIn } from "../harness/flow.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { type Installation, newInstallation, OTHER_SECRET, secretIntoFile } from "../harness/installation.ts";
import { freePort, type Running } from "../harness/processes.ts";

describe("WEB_CONCURRENCY=2", () => {
  let own: Installation;
  let server: Running;
  let opsPort: number;
  let secretFile: string;
  beforeAll(async () => {
    opsPort = await freePort();
    own = await newInstallation("sqlite", { WEB_CONCURRENCY: "2", GATEHOUSE_OPS_PORT: String(opsPort) });
    secretFile = secretIntoFile(own);
    own.env["GATEHOUSE_ENV_FILE"] = join(own.folder, "settings.env");
    writeFileSync(own.env["GATEHOUSE_ENV_FILE"], "");
    server = await startWeb(own.env, own.port);
  });
  afterAll(async () => {
    await server?.crash();
    await own?.remove();
  });

  /** The child processes of the first one. */
  const workers = () =>
    execFileSync("ps", ["-o", "pid=", "--ppid", String(server.child.pid)], { encoding: "utf8" })
      .trim()
      .split(/\s+/)
      .map(Number);

  /** What the server has logged as an error. */
  const errors = () => server.output().match(/.*"level":[56]0.*/g) ?? [];

  test("OP-20 N32 of 50 parallel redemptions over both workers exactly one succeeds", async () => {
    await expect.poll(workers).toHaveLength(2); // the first one may answer before the second is there
    const obtained = await obtainCode(await signIn(own.issuer, "races"), CLIENTS.web);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(own.issuer, CLIENTS.web, obtained)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("OP-73 one scrape has the requests that both workers served", async () => {
    const counted = async () => {
      const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      const labels = 'http_route="/userinfo",http_request_method="GET",http_response_status_code="401"';
      return Number(text.split(`http_server_request_duration_seconds_count{${labels}} `)[1]?.split("\n")[0] ?? 0);
    };
    await Promise.all(Array.from({ length: 40 }, () => send(own.issuer, "/userinfo")));
    await expect.poll(counted).toBe(40); // the port opens once both workers serve
  });

  test("a port in use is reported once, and no process is left", async () => {
    const second = await startWeb(own.env, own.port); // the first one answers on this port
    await expect.poll(() => second.child.exitCode, { timeout: 60_000 }).toBe(1);
    expect(second.output().match(/Port \d+ is in use/g)).toHaveLength(1);
  });

  test("OP-12 OP-17 a killed worker is replaced, with the secret that the others have", async () => {
    const [victim = 0, survivor = 0] = workers();
    const secret = readFileSync(secretFile, "utf8");
    writeFileSync(secretFile, OTHER_SECRET);
    process.kill(victim, "SIGKILL");
    await expect
      .poll(() => workers().filter((pid) => pid !== victim && pid !== survivor), { timeout: 60_000 })
      .toHaveLength(1);
    // Open connections to the killed worker break once.
    await expect.poll(async () => (await send(own.issuer, "/readyz")).status, { timeout: 60_000 }).toBe(200);
    await expect.poll(errors).toHaveLength(1); // that it was killed
    // The page of one worker comes back to the other: each opens the cookies of the other.
    for (let tries = 0; tries < 8; tries++) await signIn(own.issuer, "races");
    writeFileSync(secretFile, secret);
  });

  test("OP-17 SIGHUP changes the log level of the workers, names what needs a restart, and ends no process", async () => {
    const reloadWith = (settings: string) => {
      writeFileSync(join(own.folder, "settings.env"), settings);
      server.child.kill("SIGHUP");
    };
    const before = workers();
    reloadWith("LOG_LEVEL=debug\nGATEHOUSE_ADMIN_EMAIL=x@example.com\nGATEHOUSE_MAIL_FROM=Another <a@example.com>\n");
    await expect.poll(server.output).toContain('"variables":["GATEHOUSE_MAIL_FROM"]'); // the environment has the other
    await expect // for which a worker logs a line
      .poll(async () => [(await send(own.issuer, "/sign-in")).status, server.output()].join(" "))
      .toMatch(/"level":20.*"route":"\/sign-in"/);
    reloadWith("LOG_LEVEL=loud\n");
    await expect.poll(server.output).toContain("LOG_LEVEL must be one of");
    reloadWith("");
    await expect.poll(server.output).toContain('"logLevel":"info"');
    expect(server.output()).not.toContain("Another <");
    expect(workers()).toEqual(before);
  });

  test("OP-72 over a restart no request of busy clients fails; it exits 0 in time, its database closed", async () => {
    const clients = startBusyClients(own.port, TOKEN);
    await expect.poll(clients.answered).toBeGreaterThan(50);
    const before = errors();
    expect((await terminate(server)).code).toBe(0);
    expect(errors().slice(before.length)).toEqual([]);
    expect(existsSync(join(own.folder, "gatehouse.db-wal"))).toBe(false);
    server = await startWeb(own.env, own.port);
    const answered = clients.answered();
    await expect.poll(() => clients.answered() - answered).toBeGreaterThan(50);
    await clients.end();
    expect(clients.failures).toEqual([]);
  });
});
