import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isPublicAddress } from "@gatehouse/runtime";
import { type Tracing, tracing } from "@gatehouse/runtime/tracing";
import { afterEach, describe, expect, test } from "vitest";
import { createOutbound, isOutboundUrl } from "./outbound.ts";

const LIMITS = {
  maxBytes: 1000,
  timeoutMs: 10_000,
  accept: ["application/json", "+json"],
  namedBy: "team" as const,
  asker: "shop",
};
const IMPATIENT = { ...LIMITS, timeoutMs: 300 };
const running: Server[] = [];

afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function hostile(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  running.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/doc`;
}

const local = createOutbound({ allowLoopback: true });
const json = { "content-type": "application/json" };

describe("special-use addresses are never connected to, CI-05", () => {
  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.9.9.9",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
    "not an address",
  ])("CI-05: %s", async (address) => {
    expect(isPublicAddress(address)).toBe(false);
    const { fetchDocument } = createOutbound({ allowLoopback: false, lookup: async () => [{ address, family: 4 }] });
    await expect(fetchDocument("https://app.example/doc", LIMITS)).rejects.toMatchObject({
      problem: "address_not_public",
    });
  });

  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "2a00:1450:4001::1"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    "https://127.0.0.1/x",
    "https://2130706433/x",
    "https://0x7f.1/x",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://169.254.169.254/x",
  ])("CI-05: %s, in every spelling", async (url) => {
    await expect(createOutbound({ allowLoopback: false }).fetchDocument(url, LIMITS)).rejects.toMatchObject({
      problem: "address_not_public",
    });
  });

  test("CI-05: one private address among public ones rejects the name", async () => {
    const lookup = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    const { fetchDocument } = createOutbound({ allowLoopback: false, lookup });
    await expect(fetchDocument("https://app.example/doc", LIMITS)).rejects.toMatchObject({
      problem: "address_not_public",
    });
  });

  test("CI-05: a name is resolved once, and localhost must resolve to loopback", async () => {
    const asked: string[] = [];
    const lookup = async (name: string) => {
      asked.push(name);
      return [{ address: asked.length === 1 ? "10.0.0.1" : "127.0.0.1", family: 4 }];
    };
    const { fetchDocument } = createOutbound({ allowLoopback: true, lookup });
    await expect(fetchDocument("http://localhost:1/doc", LIMITS)).rejects.toMatchObject({
      problem: "address_not_public",
    });
    await expect(fetchDocument("https://app.example/doc", LIMITS)).rejects.toMatchObject({
      problem: "address_not_public",
    });
    expect(asked).toEqual(["localhost", "app.example"]);
  });
});

describe("URLs", () => {
  test.each([
    ["http://app.example/doc", false],
    ["http://127.0.0.1/doc", false],
    ["https://user:pw@app.example/doc", false],
    ["https://user@app.example/doc", false],
    ["file:///etc/passwd", false],
    ["ftp://app.example/doc", false],
    ["doc", false],
    ["https://app.example/doc", true],
  ])("DC-08: %s → %s", async (url, allowed) => {
    expect(isOutboundUrl(url, { allowLoopback: false })).toBe(allowed);
    if (allowed) return;
    await expect(createOutbound({ allowLoopback: false }).fetchDocument(url, LIMITS)).rejects.toMatchObject({
      problem: "url_not_allowed",
    });
  });
});

describe("a server that a client names", () => {
  test("is read when it behaves", async () => {
    const url = await hostile((request, response) =>
      response
        .writeHead(200, { ...json, "cache-control": "max-age=120" })
        .end(JSON.stringify({ host: request.headers.host })),
    );
    const { text, headers } = await local.fetchDocument(url, LIMITS);
    expect(JSON.parse(text)).toEqual({ host: new URL(url).host });
    expect(headers).toMatchObject({ cacheControl: "max-age=120" });
  });

  test("DC-08: the connection goes to the checked address, with the original host name", async () => {
    const url = await hostile((request, response) =>
      response.writeHead(200, json).end(JSON.stringify(request.headers.host)),
    );
    const named = url.replace("127.0.0.1", "localhost");
    const { fetchDocument } = createOutbound({
      allowLoopback: true,
      lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect((await fetchDocument(named, LIMITS)).text).toBe(JSON.stringify(new URL(named).host));
  });

  test.each<[string, RequestListener, string]>([
    [
      "redirects",
      (_, response) => response.writeHead(302, { ...json, location: "/elsewhere" }).end("{}"),
      "status_not_200",
    ],
    ["answers 404", (_, response) => response.writeHead(404, json).end("{}"), "status_not_200"],
    ["answers 204", (_, response) => response.writeHead(204).end(), "status_not_200"],
    [
      "sends HTML",
      (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("{}"),
      "content_type_wrong",
    ],
    ["sends no type", (_, response) => response.writeHead(200).end("{}"), "content_type_wrong"],
    [
      "compresses",
      (_, response) => response.writeHead(200, { ...json, "content-encoding": "gzip" }).end("{}"),
      "content_type_wrong",
    ],
    ["sends too much", (_, response) => response.writeHead(200, json).end("x".repeat(1001)), "too_large"],
    ["hangs up", (request) => request.socket.destroy(), "unreachable"],
    ["says nothing", () => {}, "timed_out"],
    ["stops in the middle", (_, response) => response.writeHead(200, json).write("{"), "timed_out"],
  ])("CI-05: that %s is rejected", async (_, listener, problem) => {
    const limits = problem === "timed_out" ? IMPATIENT : LIMITS;
    await expect(local.fetchDocument(await hostile(listener), limits)).rejects.toMatchObject({
      name: "OutboundError",
      problem,
    });
  });

  test("CI-05: that sends slowly runs into the total timeout", async () => {
    const url = await hostile((_, response) => {
      response.writeHead(200, json);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    await expect(local.fetchDocument(url, IMPATIENT)).rejects.toMatchObject({ problem: "timed_out" });
  });

  test("DC-08: a redirected post is not followed, and its status is returned", async () => {
    const seen: string[] = [];
    const url = await hostile((request, response) => {
      seen.push(`${request.method} ${request.headers["content-type"]}`);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await local.postForm(url, new URLSearchParams({ a: "b" }), LIMITS)).toEqual({ status: 307 });
    expect(seen).toEqual(["POST application/x-www-form-urlencoded"]);
  });

  test("DC-08: bytes of any status and type are returned as sent, with the caller's headers, and no redirect is followed", async () => {
    const bytes = Buffer.from([0x30, 0x82, 0xff, 0x00]);
    const url = await hostile((request, response) => {
      const authorized = request.headers.authorization === "Bearer live_key";
      response
        .writeHead(authorized ? 302 : 401, { "content-type": "application/pkix-cert", location: "/elsewhere" })
        .end(bytes);
    });
    const limits = { ...LIMITS, maxBytes: 4 };
    expect(await local.fetchBytes(url, limits)).toMatchObject({ status: 401, bytes });
    expect(await local.fetchBytes(url, { ...limits, headers: { Authorization: "Bearer live_key" } })).toMatchObject({
      status: 302,
      bytes,
    });
    await expect(local.fetchBytes(url, { ...limits, maxBytes: 3 })).rejects.toMatchObject({ problem: "too_large" });
  });

  test("CI-05: on loopback is connected to only if the issuer is on loopback too", async () => {
    let hits = 0;
    const url = await hostile((_, response) => {
      hits += 1;
      response.end();
    });
    await expect(createOutbound({ allowLoopback: false }).fetchDocument(url, LIMITS)).rejects.toMatchObject({
      problem: "url_not_allowed",
    });
    await expect(
      createOutbound({ allowLoopback: false }).fetchDocument(url.replace("http:", "https:"), LIMITS),
    ).rejects.toMatchObject({
      problem: "address_not_public",
    });
    expect(hits).toBe(0);
  });
});

describe("OP-76 outbound requests in traces", () => {
  afterEach(() => {
    tracing.current = undefined;
  });

  test("a span has the server and its status, and nothing else of the request", async () => {
    const spans: unknown[] = [];
    const begin: Tracing["begin"] =
      (kind) =>
      (...described) =>
        void spans.push([kind, ...described]);
    tracing.current = { begin } as Tracing;
    const url = await hostile((_, response) => response.writeHead(202, json).end("{}"));
    const headers = { authorization: "Bearer secret" };
    await local.fetchBytes(`${url}?code=secret`, { ...LIMITS, headers, body: "secret" });
    await expect(local.fetchBytes("http://127.0.0.1:1/secret", LIMITS)).rejects.toMatchObject({
      problem: "unreachable",
    });
    const facts = { "http.request.method": "POST", "server.address": "127.0.0.1", "http.response.status_code": 202 };
    expect(spans).toEqual([
      ["outbound", "POST 127.0.0.1", facts],
      ["outbound", "GET 127.0.0.1", { "http.request.method": "GET", "server.address": "127.0.0.1" }, true],
    ]);
  });
});
