import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "@gatehouse/db/testing/ports";
import pino from "pino";
import { afterEach, describe, expect, test } from "vitest";
import type { Env } from "../start/env.ts";
import { listenOps } from "./listen.ts";

const open: Server[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))));

const answers = {
  "/metrics": () => ({ contentType: "text/plain", text: "up 1\n" }),
  "/broken": () => {
    throw new Error("secret detail");
  },
};

/** Collects what is logged. */
function memoryLog() {
  const lines: { level: number; msg: string }[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

async function listenOn(ops: Env["ops"]) {
  const { log, lines } = memoryLog();
  const server = await listenOps({ env: { ops } as Env, log }, answers);
  if (server) open.push(server);
  return lines;
}

function ask(port: number, path: string, { method = "GET", host = `127.0.0.1:${port}` } = {}) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request({ port, path, method, headers: { host }, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    sent.on("error", reject).end();
  });
}

describe("OP-73: the ops port", () => {
  test("answers what it has, without the message of an error", async () => {
    const port = await freePort();
    await listenOn({ host: "127.0.0.1", port, isDefault: false });
    expect(await ask(port, "/metrics")).toEqual({ status: 200, body: "up 1\n" });
    expect(await ask(port, "/metrics", { method: "HEAD" })).toEqual({ status: 200, body: "" });
    expect(await ask(port, "/metrics", { method: "POST" })).toMatchObject({ status: 405 });
    expect(await ask(port, "/__proto__")).toMatchObject({ status: 404 });
    expect(await ask(port, "//")).toMatchObject({ status: 503 });
    expect(await ask(port, "/broken")).toEqual({ status: 503, body: "this cannot be read now\n" });
  });

  test("on loopback, answers nobody who was led here under another name", async () => {
    const port = await freePort();
    await listenOn({ host: "127.0.0.1", port, isDefault: false });
    expect(await ask(port, "/metrics", { host: `rebound.example:${port}` })).toMatchObject({ status: 403 });
    expect(await ask(port, "/metrics", { host: `localhost:${port}` })).toMatchObject({ status: 200 });
  });

  test("in use: an error if it was set, a warning if it is the default", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    open.push(other);
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    await expect(listenOn({ host: "127.0.0.1", port, isDefault: false })).rejects.toThrow(
      /GATEHOUSE_OPS_PORT.*EADDRINUSE/,
    );
    expect(await listenOn({ host: "127.0.0.1", port, isDefault: true })).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringContaining("GATEHOUSE_OPS_PORT") }),
    ]);
  });

  test("0 opens none", async () => {
    expect(await listenOn(undefined)).toEqual([]);
  });
});
