import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { apply, startConsole, startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

const CLIENTS_AT_ONCE = 8;
/** Four starts of several processes each. */
const TIMEOUT = 120_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-stopping-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

type Call = { path: string; method?: string; headers?: Record<string, string>; body?: string };

/** Requests a token each time, so that the database is busy when the server stops. */
const TOKEN: Call = {
  path: "/token",
  method: "POST",
  headers: {
    authorization: `Basic ${Buffer.from(`${CLIENTS.service.client_id}:${CLIENTS.service.client_secret}`).toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  },
  body: "grant_type=client_credentials",
};

/** A client with its own keep-alive connection. Resolves to the status. */
function call(port: number, agent: Agent, { path, body, ...options }: Call): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "localhost", port, path, agent, ...options }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end(body);
  });
}

/** Clients that send requests over keep-alive connections until `end`, and reconnect when refused. */
function busyClients(port: number, what: Call, expected: number) {
  const failures: unknown[] = [];
  let [answered, ended] = [0, false];
  const clients = Array.from({ length: CLIENTS_AT_ONCE }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!ended) {
      const outcome = await call(port, agent, what).catch((error: NodeJS.ErrnoException) => error);
      if (outcome === expected) answered += 1;
      else if (outcome instanceof Error && outcome.code === "ECONNREFUSED") await new Promise((again) => setTimeout(again, 20));
      else failures.push(outcome);
    }
    agent.destroy();
  });
  return {
    answered: () => answered,
    failures,
    async end() {
      ended = true;
      await Promise.all(clients);
    },
  };
}

/** Sends SIGTERM to this process only, as process managers do. Resolves to its exit code and the time it took. */
async function terminate({ child }: Running): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  const code = await new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
  return { code, ms: performance.now() - began };
}

async function installation(name: string, change: Record<string, string> = {}) {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const file = join(folder, `${name}.db`);
  const env = { ...inject("env"), GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: folder, DATABASE_URL: `file:${file}`, ...change };
  await apply(fixture(), folder, env);
  return { port, issuer, file, env };
}

describe.each([1, 2])("with WEB_CONCURRENCY=%i", (workers) => {
  test(
    "OP-72 over three restarts no request of busy clients fails; it exits 0 within 2 s, its database closed",
    async () => {
      const { port, env, file } = await installation(`busy-${workers}`, { WEB_CONCURRENCY: String(workers) });
      let server = await startWeb(env, port);
      const clients = busyClients(port, TOKEN, 200);
      for (let restart = 0; restart < 3; restart++) {
        const before = clients.answered();
        await expect.poll(() => clients.answered() - before, { timeout: 20_000 }).toBeGreaterThan(50);
        const { code, ms } = await terminate(server);
        expect([code, server.output()]).toEqual([0, expect.not.stringMatching(/"level":[56]0/)]);
        expect(ms).toBeLessThan(10_000);
        expect(existsSync(`${file}-wal`)).toBe(false);
        server = await startWeb(env, port);
      }
      await clients.end();
      await server.stop();
      expect(clients.failures).toEqual([]);
    },
    TIMEOUT,
  );
});

test("OP-72 a draining server is unready at once, and keeps serving until the drain time is over", async () => {
  const { port, issuer, env } = await installation("draining", { GATEHOUSE_DRAIN_SECONDS: "4" });
  const server = await startWeb(env, port);
  const ended = terminate(server);
  await expect.poll(async () => (await send(issuer, "/readyz")).status, { interval: 10, timeout: 20_000 }).toBe(503);
  expect(json(await send(issuer, "/readyz"))).toEqual({ status: "unavailable" });
  expect((await send(issuer, "/healthz")).status).toBe(200);
  const { code, ms } = await ended;
  expect(code).toBe(0);
  expect(ms).toBeGreaterThanOrEqual(4000);
});

test("OP-72 connections that do not end in time are cut, and the exit code is 1", async () => {
  const { port, env, file } = await installation("cut", { GATEHOUSE_STOP_SECONDS: "1" });
  const server = await startWeb(env, port);
  const agent = new Agent({ keepAlive: true });
  const upload = request({
    host: "127.0.0.1",
    port,
    path: "/token",
    method: "POST",
    agent,
    headers: { ...TOKEN.headers, "content-length": "9" },
  });
  const cut = new Promise((resolve) => upload.once("error", resolve));
  await new Promise<void>((resolve) => upload.write("gra", () => resolve()));
  expect((await send(`http://localhost:${port}`, "/healthz")).status).toBe(200);
  expect((await terminate(server)).code).toBe(1);
  expect(await cut).toMatchObject({ code: "ECONNRESET" });
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test(
  "OP-72 the console too: busy clients do not fail, nor hold it up",
  async () => {
    const port = await freePort();
    const env = { ...inject("env"), GATEHOUSE_ADMIN_URL: `http://localhost:${port}`, ADMIN_PORT: String(port) };
    let console = await startConsole(env, port);
    const clients = busyClients(port, { path: "/healthz" }, 200);
    for (let restart = 0; restart < 3; restart++) {
      const before = clients.answered();
      await expect.poll(() => clients.answered() - before, { timeout: 20_000 }).toBeGreaterThan(50);
      const { code, ms } = await terminate(console);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(10_000);
      console = await startConsole(env, port);
    }
    await clients.end();
    await console.stop();
    expect(clients.failures).toEqual([]);
  },
  TIMEOUT,
);
