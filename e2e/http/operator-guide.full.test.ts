import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { ROOT } from "../harness/commands.ts";
import { openDatabases } from "../harness/databases.ts";
import { send, trust } from "../harness/http.ts";
import { commandsBelow, exportsOf, runBlock, type Served } from "../harness/operator-guide.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { CONSOLE_HOST, HOST, isInstalled, type Place, PROXIES, startProxy } from "../harness/proxies.ts";

// docs/operations.md leads from a clone to production: its commands are taken out of the page, and run.

const CLONE = "git clone <this repository> gatehouse && cd gatehouse\n";
const INSTALL_AND_BUILD_MS = 1_500_000;

let work: string;
let clone: string;
const running: Running[] = [];
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "gatehouse-guide-"));
  clone = join(work, "gatehouse");
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});
afterAll(() => rm(work, { recursive: true, force: true }));

type Path = { heading: string; proxy: keyof typeof PROXIES; more?: Record<string, string> };

/** Follows a part of the page on free ports, and returns the issuer and what its programs printed. */
async function follow({ heading, proxy: name, more = {} }: Path): Promise<{ issuer: string; served: Served[] }> {
  const proxy = PROXIES[name];
  if (!proxy) throw new Error(`no proxy ${name}`);
  const [https = 0, http = 0, one = 0, two = 0, console = 0, ops = 0, other = 0] = await Promise.all(
    Array.from({ length: 7 }, freePort),
  );
  const place: Place = { work: await mkdtemp(join(work, "proxy-")), https, http, servers: [one, two], console };
  const issuer = `https://${HOST}:${https}`;
  const replaced = {
    "<this repository>": ROOT,
    "https://id.example.com": issuer,
    "https://console.example.com": `https://${CONSOLE_HOST}:${https}`,
    "PORT=3000": `PORT=${one}`,
    "PORT=3100 GATEHOUSE_OPS_PORT=9465": `PORT=${two} GATEHOUSE_OPS_PORT=${other}`,
    ...more,
  };
  const env = {
    PORT: String(one),
    ADMIN_PORT: String(console),
    GATEHOUSE_OPS_PORT: String(ops),
    GATEHOUSE_ENV_FILE: "",
    NODE_EXTRA_CA_CERTS: proxy.authority(place),
    NODE_ENV: "",
  };
  const prepared = await proxy.prepare(place);
  running.push(await startProxy(proxy, place));
  await vi.waitFor(async () => trust(await readFile(proxy.authority(place), "utf8")), { timeout: 30_000 });

  const served: Served[] = [];
  for (const block of await commandsBelow(heading)) {
    if (block.startsWith("createuser")) continue; // the test's database is there
    if (block.includes("haproxy -f") || block.includes("caddy run")) {
      const named = Object.keys(exportsOf(block)).toSorted();
      const needed = Object.keys(prepared.env).filter((one) => one.startsWith("GATEHOUSE_") && !one.endsWith("_BIND"));
      expect(named).toEqual(needed.toSorted());
      continue;
    }
    const isFirst = block.startsWith(CLONE);
    const started = await runBlock(isFirst ? await cloned(block) : block, { folder: clone, env, replaced });
    served.push(...started);
    running.push(...started.map((one) => one.running));
    for (const { command, running: program } of started)
      await ready(command.includes("admin") ? `http://127.0.0.1:${console}/healthz` : undefined, issuer, program);
  }
  return { issuer, served };
}

/** The first path clones; the other one uses the clone. What is not committed yet is in it too. */
async function cloned(block: string): Promise<string> {
  const [, rest = ""] = block.split(CLONE);
  const run = promisify(execFile);
  if (existsSync(clone)) return rest;
  await run("git", ["clone", "--quiet", ROOT, clone]);
  const { stdout } = await run("git", ["ls-files", "-z", "--modified", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  for (const file of stdout.split("\0").filter(Boolean)) await cp(join(ROOT, file), join(clone, file)).catch(() => {});
  return rest;
}

async function ready(url: string | undefined, issuer: string, program: Running): Promise<void> {
  await vi
    .waitFor(
      async () => {
        const { status } = url === undefined ? await send(issuer, "/readyz") : await fetch(url);
        if (status !== 200) throw new Error(`it answers ${status}`);
      },
      { timeout: 90_000, interval: 200 },
    )
    .catch((cause: unknown) => {
      throw new Error(`what the page starts is not ready:\n${program.output()}`, { cause });
    });
}

/** Signs the first admin in with the password that the server printed. */
async function signInAsAdmin(issuer: string, served: readonly Served[]): Promise<number> {
  const said = served.map((one) => one.running.output()).join("\n");
  const password = /Password {2}(\S+)/.exec(said)?.[1];
  if (password === undefined) throw new Error(`no server printed a password:\n${said}`);
  const agent = newAgent(issuer);
  const form = await agent.open("/sign-in");
  const fields = { Email: "you@example.com", Password: password };
  return (await agent.post(form, { fields, button: "Sign in" })).status;
}

describe("docs/operations.md", () => {
  const { caddy, haproxy } = PROXIES;

  test.skipIf(!caddy || !isInstalled(caddy))(
    "OP-08 from a clone to production on SQLite, by the commands of the page",
    async () => {
      const { issuer, served } = await follow({ heading: "Without either", proxy: "caddy" });
      expect(await signInAsAdmin(issuer, served)).toBe(303);
    },
    INSTALL_AND_BUILD_MS,
  );

  test.skipIf(!haproxy || !isInstalled(haproxy))(
    "OP-08 from a clone to production on PostgreSQL with two servers, by the commands of the page",
    async () => {
      const databases = await openDatabases();
      try {
        const url = await databases.create("postgres", work, []);
        const more = {
          "postgres://gatehouse:…@127.0.0.1:5432/gatehouse": url,
          // The tests' PostgreSQL is faster than it is safe, which the doctor says.
          "gatehouse.mjs doctor\n": "gatehouse.mjs doctor proxy\n",
        };
        const { issuer, served } = await follow({ heading: "On one machine, without Docker", proxy: "haproxy", more });
        expect(served.map(({ command }) => command.split(" ").at(-1))).toEqual(["web", "web", "admin"]);
        expect(await signInAsAdmin(issuer, served)).toBe(303);
      } finally {
        await Promise.all(running.splice(0).map((one) => one.stop()));
        await databases.close();
      }
    },
    INSTALL_AND_BUILD_MS,
  );
});
