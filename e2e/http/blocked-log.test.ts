import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import { freePort, type Running } from "../harness/processes.ts";

// What becomes of single lines is held by apps/web/server/start/log-destination.test.ts.

const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next"; // Next answers, and has no port of its own for metrics

let own: Installation;
let server: Running;
let opsPort: number;
beforeAll(async () => {
  opsPort = await freePort();
  own = await newInstallation("sqlite", { GATEHOUSE_OPS_PORT: String(opsPort), LOG_LEVEL: "debug" });
  server = await startWeb(own.env, own.port);
  server.child.stdout?.pause();
});
afterAll(async () => {
  await server?.crash();
  await own?.remove();
});

const ops = async (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);

async function droppedLines(): Promise<number> {
  const text = await (await ops("/metrics")).text();
  return Number(/^gatehouse_log_lines_dropped_total (\d+)/m.exec(text)?.[1]);
}

/** Requests that are logged, on one connection, without waiting for each response. A busy server sheds some: 503. */
async function request(count: number): Promise<void> {
  const socket = connect(own.port, "127.0.0.1").setEncoding("latin1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await once(socket, "connect");
  socket.write("GET /api/nothing HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count));
  await expect.poll(() => text.match(/HTTP\/1\.1 (404|503)/g)?.length, { interval: 5, timeout: 30_000 }).toBe(count);
  socket.destroy();
}

test.skipIf(onNext)(
  "OP-77 a server whose stdout nobody reads answers on, drops lines and counts them, and stops when it is told to",
  async () => {
    expect(await droppedLines()).toBe(0);
    while ((await droppedLines()) === 0) await request(400);
    expect((await send(own.issuer, "/api/nothing")).status).toBe(404);
    expect((await send(own.issuer, "/.well-known/jwks.json")).status).toBe(200);
  },
);

test.skipIf(onNext)("OP-70 /healthz needs no log", async () => {
  expect((await send(own.issuer, "/healthz")).status).toBe(200);
});

test.skipIf(onNext)("OP-71 the ops port says how the server is, with the status of /readyz", async () => {
  const answer = await ops("/readyz");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    status: "ready",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: expect.stringMatching(/^v\d+/),
    uptime_seconds: expect.any(Number),
    serving_processes: 1,
    database: { engine: "sqlite", answers: true },
    schema: { state: "current", missing: [] },
    scheduled_tasks: expect.arrayContaining([{ name: "sweep", due_in_seconds: expect.any(Number) }]),
  });
});

test.skipIf(onNext)("OP-77 the end of the process waits for no reader either", async () => {
  await server.stop();
  expect([server.child.exitCode, server.child.signalCode]).toEqual([0, null]);
});
