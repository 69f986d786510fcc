import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { createLimitedServer } from "./limited-server.mjs";

const EVERYWHERE = { "X-Content-Type-Options": "nosniff" };
const MOST = 3;
const callerOf = ({ headers }: { headers: Record<string, unknown> }) => headers["x-caller"] as string | undefined;

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function start(options: { isProxy?: boolean } = {}): Promise<Server> {
  const server = createLimitedServer((_, outgoing) => outgoing.end("served"), {
    tooLarge: () => ({ body: "too many headers", headers: { "Content-Type": "text/plain" } }),
    everywhere: EVERYWHERE,
    unfinished: { most: MOST, everyMs: 40, isProxy: () => options.isProxy === true, callerOf },
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

/** Opens a connection and sends this. */
function open(server: Server, request: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(request);
  sockets.push(socket);
  return socket;
}
const ask = (server: Server, ...lines: string[]) =>
  text(open(server, ["GET / HTTP/1.1", "Host: a", "Connection: close", ...lines, "", ""].join("\r\n")));
const fields = (count: number, size = 1) => Array.from({ length: count }, (_, at) => `x-${at}: ${"y".repeat(size)}`);

describe("OP-96 the headers of a request", () => {
  test.each([
    ["100 of them", fields(98)],
    ["15 KiB", fields(15, 1_000)],
    ["60 kB of cookies", [`Cookie: a=${"y".repeat(60_000)}`]],
  ])("%s are read", async (_, lines) => {
    expect(await ask(await start(), ...lines)).toMatch(/^HTTP\/1\.1 200 [\s\S]*served/);
  });

  test.each([
    ["101 of them", fields(99)],
    ["2,000 of them", fields(2_000)],
    ["17 kB besides cookies", fields(17, 1_000)],
    ["one of 17 kB", fields(1, 17_000)],
    ["66 kB of cookies, which Node does not read", [`Cookie: a=${"y".repeat(66_000)}`]],
  ])("%s get 431 with the headers of every response, and the connection is closed", async (_, lines) => {
    const answer = await ask(await start(), ...lines);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toMatch(/too many headers/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    expect(answer).toContain("X-Content-Type-Options: nosniff");
  });

  test.each([
    ["nonsense", "400", "nonsense"],
    ["no Host", "400", "GET / HTTP/1.1\r\nConnection: close"],
    ["an unknown expectation", "417", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: tea"],
  ])("%s: %s with the headers of every response", async (_, status, request) => {
    const answer = await text(open(await start(), `${request}\r\n\r\n`));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*X-Content-Type-Options: nosniff`));
  });

  test("they have 10 s to arrive, and the whole request 20", async () => {
    const { headersTimeout, requestTimeout } = await start();
    expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 10_000, requestTimeout: 20_000 });
  });
});

describe("OP-96 unfinished requests of one address", () => {
  const HALF_A_HEAD = "GET / HTTP/1.1\r\nHost: a\r\nX-";
  const halfABody = (caller: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\nX-Caller: ${caller}\r\nContent-Length: 9\r\n\r\nhalf`;

  /** Opens the connections one after the other, and counts those that the server closed. */
  async function openAll(server: Server, requests: readonly string[]): Promise<() => number> {
    let closed = 0;
    for (const request of requests) {
      const socket = open(server, request);
      socket.resume().on("close", () => closed++);
      await once(socket, "connect");
    }
    return () => closed;
  }

  test.each([
    ["headers", HALF_A_HEAD],
    ["nothing at all", ""],
    ["bodies", halfABody("203.0.113.7")],
  ])("beyond the limit, the latest are closed, and the oldest stay: %s", async (_, request) => {
    const server = await start();
    const closed = await openAll(server, Array(MOST + 4).fill(request));
    await expect.poll(closed).toBe(4);
    expect(sockets.map(({ closed: isClosed }) => isClosed)).toEqual([
      ...Array(MOST).fill(false),
      ...Array(4).fill(true),
    ]);
  });

  test("others are served meanwhile, and who finishes is not counted", async () => {
    const server = await start();
    const idle = Array.from({ length: MOST + 4 }, () => open(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    await Promise.all(idle.map((socket) => once(socket, "data")));
    const closed = await openAll(server, Array(MOST + 1).fill(HALF_A_HEAD));
    await expect.poll(closed).toBe(1);
    expect(await ask(server)).toMatch(/served/);
    expect(idle.filter(({ closed: isClosed }) => isClosed)).toEqual([]);
  });

  test("one that is closed learns why, with the headers of every response", async () => {
    const server = await start();
    await openAll(server, Array(MOST).fill(HALF_A_HEAD));
    const answer = await text(open(server, HALF_A_HEAD));
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: \d+\r\n/);
    expect(answer).toContain("X-Content-Type-Options: nosniff");
  });

  test("a trusted proxy is not limited, but each caller behind it is", async () => {
    const server = await start({ isProxy: true });
    const ofProxy = await openAll(server, Array(MOST + 4).fill(HALF_A_HEAD));
    const ofOne = await openAll(server, Array(MOST + 2).fill(halfABody("203.0.113.7")));
    const ofMany = await openAll(
      server,
      fields(MOST + 2).map((_, at) => halfABody(`203.0.113.${100 + at}`)),
    );
    await expect.poll(ofOne).toBe(2);
    expect([ofProxy(), ofMany()]).toEqual([0, 0]);
  });
});
