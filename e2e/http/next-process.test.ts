import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliver, expectHandledOnce } from "../harness/acknowledged.ts";
import { newAgent } from "../harness/agent.ts";
import { terminate } from "../harness/busy-clients.ts";
import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { obtainTokens, signIn } from "../harness/flow.ts";
import { ENGINES, startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { type Installation, newInstallation, OTHER_SECRET, secretIntoFile } from "../harness/installation.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { ROUTES } from "../harness/policy-table.ts";
import { launch, type Running } from "../harness/processes.ts";

const PROBE = fileURLToPath(new URL("../harness/async-hooks-probe.mjs", import.meta.url));

/** How many callbacks of async hooks are active in this process. Once for each process. */
async function activeHooks({ child, output }: Running): Promise<number> {
  process.kill(child.pid ?? 0, "SIGUSR2");
  const found = () => /active async hooks: (\d+)\n/.exec(output())?.[1];
  await expect.poll(found).toBeDefined();
  return Number(found());
}

test("the probe sees an AsyncLocalStorage", async () => {
  const script = `import { AsyncLocalStorage } from "node:async_hooks";
    new AsyncLocalStorage().run(1, () => {}); setInterval(() => {}, 1000); console.log("runs");`;
  const running = launch("node", ["--import", PROBE, "--input-type=module", "-e", script], { cwd: ".", env: {} });
  await expect.poll(running.output).toContain("runs");
  expect(await activeHooks(running)).toBeGreaterThan(0);
  await running.crash();
});

describe.each(ENGINES)("on %s", (engine) => {
  let own: Installation;
  let server: Running;
  let secretFile: string;
  beforeAll(async () => {
    own = await newInstallation(engine, { NODE_OPTIONS: `--import ${PROBE}` });
    secretFile = secretIntoFile(own);
    server = await startWeb({ ...own.env, TMPDIR: own.folder }, own.port); // where a killed server leaves its socket
  });
  afterAll(async () => {
    await server?.crash();
    await own?.remove();
  });

  test("no async hook is active after every page was rendered, React pages and a mail included: it would slow every path", async () => {
    const member = await signIn(own.issuer, "bearer");
    for (const { path } of ROUTES) {
      await send(own.issuer, path, { headers: { accept: "text/html" } });
      await member.request(path);
    }
    for (const path of ROUTES.filter(({ kind }) => kind === "react").map((one) => one.path))
      expect([path, (await member.request(path)).status]).toEqual([path, 200]);

    const visitor = newAgent(own.issuer);
    await visitor.submit(await visitor.open("/forgot-password"), {
      fields: { Email: emailOf("bearer") },
      button: "Send reset link",
    });
    await (await openMailbox(own.issuer)).next(emailOf("bearer"), "reset_link");
    await obtainTokens(member, CLIENTS.web);
    expect(await activeHooks(server)).toBe(0);
  });

  describe.runIf(engine === "sqlite")("the process of Next", () => {
    /** Those that the server has started, with their socket. */
    function processes(): { pid: number; socket: string }[] {
      const lines = execFileSync("ps", ["-e", "-o", "ppid=,pid=,args="], { encoding: "utf8" }).split("\n");
      return lines.flatMap((line) => {
        const [, parent, pid, socket = ""] = /^ *(\d+) +(\d+) .*next-server\.mjs (\S+)$/.exec(line) ?? [];
        return Number(parent) === server.child.pid ? [{ pid: Number(pid), socket }] : [];
      });
    }

    test("is one, whatever the number of requests, and its socket is in a folder of this user alone", async () => {
      const member = await signIn(own.issuer, "bearer");
      const answers = await Promise.all(Array.from({ length: 8 }, () => member.request("/notes")));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(processes()).toHaveLength(1);
      expect(statSync(dirname(processes()[0]?.socket ?? "")).mode & 0o777).toBe(0o700);
    });

    test("OP-12 OP-17 is replaced when it was killed, leaves nothing behind, and has the server's secrets, as the process of handlers does, whatever their files say by then", async () => {
      const member = await signIn(own.issuer, "bearer");
      const [first] = processes();
      const secret = readFileSync(secretFile);
      writeFileSync(secretFile, OTHER_SECRET);
      process.kill(first?.pid ?? 0, "SIGKILL");
      await expect.poll(async () => (await member.request("/notes")).status).toBe(200);
      const [second] = processes();
      expect(second?.pid).not.toBe(first?.pid);
      expect([existsSync(dirname(first?.socket ?? "")), existsSync(second?.socket ?? "")]).toEqual([false, true]);
      expect((await deliver(own.issuer, "1")).status).toBe(200);
      await expectHandledOnce(own.env["DATABASE_URL"] ?? "", ["1"]);
      writeFileSync(secretFile, secret);
    });

    test("OP-72 leaves signals to the server, and ends with it", async () => {
      const [last] = processes();
      process.kill(last?.pid ?? 0, "SIGTERM");
      expect((await terminate(server)).code).toBe(0);
      expect([processes(), existsSync(dirname(last?.socket ?? ""))]).toEqual([[], false]);
      expect(() => process.kill(last?.pid ?? 0, 0)).toThrow("ESRCH");
      expect(existsSync(join(own.folder, "gatehouse.db-wal"))).toBe(false);
    });
  });
});
