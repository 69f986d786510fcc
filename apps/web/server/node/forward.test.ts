import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request,
  type Server,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { forward } from "./forward.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(server: Server, address: string | number): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(address, resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

/** A server that forwards everything to `behind`. `failures`: why it could not, once nothing is in flight. */
async function inFrontOf(behind: RequestListener, own: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "forward-"));
  const to: RequestOptions = { socketPath: join(folder, "http"), agent: new Agent({ keepAlive: true }) };
  closing.push(() => rmSync(folder, { recursive: true }));
  await listening(createServer(behind), String(to.socketPath));
  const forwarded: Promise<void>[] = [];
  const outer = createServer((incoming, outgoing) => {
    for (const [name, value] of Object.entries(own)) outgoing.setHeader(name, value);
    const passed = forward(incoming, outgoing, to);
    forwarded.push(passed);
    passed.catch(() => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(500).end()));
  });
  const { port } = (await listening(outer, 0)).address() as AddressInfo;
  const failures = async () => (await Promise.allSettled(forwarded)).filter(({ status }) => status === "rejected");
  return { port, failures };
}

const ask = (port: number, options: RequestOptions, body?: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, ...options }, resolve)
      .on("error", reject)
      .end(body);
  });

/** Sends these bytes, and returns everything until the end. */
const sendRaw = (port: number, bytes: string) => text(connect(port, "127.0.0.1").end(bytes));

describe("a forwarded request", () => {
  test("has its method, target, headers and body, without those of the connection", async () => {
    const { port } = await inFrontOf(async (incoming, outgoing) => {
      const { method, url, headers } = incoming;
      outgoing.end(JSON.stringify({ method, url, headers, body: await text(incoming) }));
    });
    const headers = {
      "x-one": "1",
      te: "trailers",
      "keep-alive": "timeout=1",
      "content-length": "3",
      expect: "100-continue",
    };
    const seen = JSON.parse(await text(await ask(port, { method: "POST", path: "/a%20b?c=d", headers }, "abc")));
    expect(seen).toMatchObject({
      method: "POST",
      url: "/a%20b?c=d",
      body: "abc",
      headers: { "x-one": "1", "content-length": "3" },
    });
    for (const name of ["te", "keep-alive", "expect"]) expect(seen.headers).not.toHaveProperty(name);
  });

  test.each(["GET", "HEAD", "DELETE", "OPTIONS", "POST"])(
    "SD-02 a body without a length never becomes a request of its own: %s",
    async (method) => {
      const urls: string[] = [];
      const { port } = await inFrontOf((incoming, outgoing) => {
        urls.push(incoming.url ?? "");
        incoming.resume().on("end", () => outgoing.end("ok"));
      });
      const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
      const body = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
      await sendRaw(
        port,
        `${method} /first HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body}`,
      );
      await text(await ask(port, { path: "/second" }));
      expect(urls).toEqual(["/first", "/second"]);
    },
  );

  test("SE-02 cannot drop a header by naming it in Connection", async () => {
    const { port } = await inFrontOf((incoming, outgoing) => outgoing.end(String(incoming.headers["x-address"])));
    const answer = await ask(port, { headers: { "x-address": "192.0.2.1", connection: "close, x-address" } });
    expect(await text(answer)).toBe("192.0.2.1");
  });
});

describe("the response", () => {
  test("has its status, cookies and headers, which replace earlier ones", async () => {
    const { port } = await inFrontOf(
      (_, outgoing) =>
        outgoing
          .writeHead(303, {
            "Set-Cookie": ["a=1", "b=2"],
            Location: "/x",
            "Cache-Control": "no-store",
            "Keep-Alive": "timeout=9",
          })
          .end(),
      { "Cache-Control": "public", "X-Frame-Options": "DENY" },
    );
    const { statusCode, headers } = await ask(port, { agent: new Agent() });
    expect([statusCode, headers["set-cookie"], headers.location]).toEqual([303, ["a=1", "b=2"], "/x"]);
    expect([headers["cache-control"], headers["x-frame-options"], headers["keep-alive"]]).toEqual([
      "no-store",
      "DENY",
      undefined,
    ]);
  });

  test("arrives as it is written, before its end", async () => {
    let finish = () => {};
    const { port } = await inFrontOf((_, outgoing) => {
      outgoing.write("first");
      finish = () => outgoing.end("last");
    });
    const answer = await ask(port, {});
    const chunks = answer[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe("first");
    finish();
    expect(String((await chunks.next()).value)).toBe("last");
  });

  test.each(["before", "after"])(
    "is not waited for when the client leaves %s its first bytes, which is no failure",
    async (when) => {
      let arrived = () => {};
      const hasArrived = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      let leftAt: Promise<unknown[]> | undefined;
      const { port, failures } = await inFrontOf((_, outgoing) => {
        leftAt = once(outgoing, "close");
        if (when === "after") outgoing.write("first");
        arrived();
      });
      const client = connect(port, "127.0.0.1");
      client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await (when === "after" ? once(client, "data") : hasArrived);
      client.destroy();
      await leftAt;
      expect(await failures()).toEqual([]);
    },
  );

  test("is a failure if the other server breaks off, and the next request is answered", async () => {
    let breaks = true;
    const { port, failures } = await inFrontOf((incoming, outgoing) => {
      if (breaks) incoming.socket.destroy();
      else outgoing.end("ok");
    });
    expect((await ask(port, {})).statusCode).toBe(500);
    expect(await failures()).toHaveLength(1);
    breaks = false;
    expect(await text(await ask(port, {}))).toBe("ok");
  });

  test("is cut off if the other server breaks off in the middle: it does not look whole", async () => {
    const { port, failures } = await inFrontOf((incoming, outgoing) =>
      outgoing.write("first", () => incoming.socket.destroy()),
    );
    const answer = await ask(port, {});
    await expect(text(answer)).rejects.toThrow();
    expect(await failures()).toHaveLength(1);
  });
});
