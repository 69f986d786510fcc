import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { drain, trackConnections } from "./drain.mjs";

type Answer = { status: number | undefined; connection: string | undefined; body: string };

const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

async function listen(db: Parameters<typeof createServer>[1]): Promise<{ server: Server; port: number }> {
  const server = createServer(db ?? ((_, response) => response.end("ok")));
  trackConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

function get(port: number, agent: Agent, path = "/"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, agent }, async (response: IncomingMessage) => {
      const body = (await response.toArray()).join("");
      resolve({ status: response.statusCode, connection: response.headers.connection, body });
    });
    sent.on("error", reject).end();
  });
}

const PATIENT = { drainSeconds: 0, stopSeconds: 20 };

describe("draining a server", () => {
  test("OP-72 a request that is under way is answered, and its answer closes the connection", async () => {
    let answer = () => {};
    const { server, port } = await listen((_, response) => {
      answer = () => response.end("late");
      server.emit("asked");
    });
    const asked = once(server, "asked");
    const sent = get(port, keepAlive());
    await asked;
    const drained = drain([server], PATIENT);
    await expect.poll(() => server.listenerCount("request")).toBe(2); // it says close from here on
    answer();
    expect(await sent).toEqual({ status: 200, connection: "close", body: "late" });
    expect(await drained).toBe(true);
  });

  test("OP-72 while it drains it serves as before; once it has stopped listening, every answer closes its connection", async () => {
    const { server, port } = await listen(undefined);
    const busy = keepAlive();
    expect(await get(port, busy)).toMatchObject({ connection: "keep-alive" });
    const drained = drain([server], { drainSeconds: 1, stopSeconds: 20 });
    expect(await get(port, busy)).toMatchObject({ connection: "keep-alive" });
    expect(await get(port, keepAlive())).toMatchObject({ status: 200, connection: "keep-alive" });
    await expect.poll(() => server.listening, { timeout: 20_000 }).toBe(false);
    await expect(get(port, keepAlive())).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await expect.poll(() => get(port, busy), { interval: 10 }).toMatchObject({ connection: "close" });
    expect(await drained).toBe(true);
  });

  test("OP-72 a connection that is used again and again does not hold it up", async () => {
    const { server, port } = await listen(undefined);
    const agent = keepAlive();
    let sent = 0;
    const failed: unknown[] = [];
    const client = (async () => {
      for (;;) {
        const refused = await get(port, agent).then(
          () => false,
          (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED" || failed.push(error),
        );
        if (refused !== false) return;
        sent += 1;
      }
    })();
    await expect.poll(() => sent).toBeGreaterThan(100);
    expect(await drain([server], PATIENT)).toBe(true);
    await client;
    expect(failed).toEqual([]);
  });

  test("OP-72 connections that are idle, or that never sent anything, are closed", async () => {
    const { server, port } = await listen(undefined);
    await get(port, keepAlive());
    const unused = connect(port, "127.0.0.1").resume();
    await once(unused, "connect");
    expect(await drain([server], PATIENT)).toBe(true);
  });

  test("OP-72 what has not ended when the time is up is cut, and the result says so", async () => {
    const { server, port } = await listen(() => {}); // never answers
    const sent = get(port, keepAlive()).catch((error: NodeJS.ErrnoException) => error.code);
    await once(server, "request");
    expect(await drain([server], { drainSeconds: 0, stopSeconds: 1 })).toBe(false);
    expect(await sent).toBe("ECONNRESET");
  });
});
