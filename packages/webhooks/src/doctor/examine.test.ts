import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type EndpointTarget, examine, type Finding } from "./index.ts";

type Closable = { close(): unknown; closeAllConnections?(): void };
const open: Closable[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

const now = () => Math.floor(Date.now() / 1000);
const json = (reason: string) => JSON.stringify({ error: "invalid_delivery", reason });
const forge = () => ({ headers: { "content-type": "application/json", "x-signature": "00" }, body: "{}" });
const STRIPE: EndpointTarget = { slug: "stripe", provider: "Stripe", contentType: "application/json", forge };

async function sizeOf(incoming: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of incoming) size += chunk.length;
  return size;
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the server says to its own doctor about a request: two events, a second apart. */
function mirror({ headers }: IncomingMessage, outgoing: Parameters<RequestListener>[1], address: string) {
  const event = `event: request\ndata: ${JSON.stringify({ address, requestId: headers["x-request-id"] === undefined ? null : "own-1234" })}\n\n`;
  outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(event);
  setTimeout(() => outgoing.end(event), 1_000);
}

/** A receiver and metadata that behave as Gatehouse does; `change` answers first, and returns true if it did. */
async function server(
  change: (incoming: IncomingMessage, outgoing: Parameters<RequestListener>[1]) => boolean = () => false,
) {
  const origin: string = await listen(async (incoming, outgoing) => {
    if (change(incoming, outgoing)) return;
    const { method, url = "", headers } = incoming;
    const answer = (status: number, body: string, extra: Record<string, string> = {}) =>
      outgoing.writeHead(status, { "content-type": "application/json", ...extra }).end(body);
    if (url === "/healthz") return answer(200, "{}");
    if (url === "/.well-known/oauth-authorization-server")
      return answer(200, JSON.stringify({ issuer: origin, jwks_uri: `${origin}/.well-known/jwks.json` }));
    if (url === "/.well-known/jwks.json") return answer(200, JSON.stringify({ keys: [{ kty: "EC" }] }));
    if (url === "/sign-in") return answer(200, "", { "set-cookie": "csrf=1; Path=/; HttpOnly; SameSite=Lax" });
    if (url === "/api/doctor" && headers["x-proof"] === "1") return mirror(incoming, outgoing, "127.0.0.1");
    if (!/^\/api\/webhooks\/stripe\/?$/.test(url)) return answer(404, json("provider_unknown"));
    if (method !== "POST") return answer(405, json("method_not_allowed"));
    if ((await sizeOf(incoming)) > 1024 * 1024) return answer(413, json("payload_too_large"));
    return answer(400, json(headers["x-signature"] === undefined ? "signature_missing" : "signature_mismatch"));
  });
  return origin;
}

async function findings(
  origin: string,
  endpoints: readonly EndpointTarget[] = [STRIPE],
  proof?: Record<string, string>,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of examine({ origin, endpoints, now, ...(proof && { proof }) })) found.push(finding);
  return found;
}

const problems = (found: Finding[]) => found.filter(({ state }) => state === "failed" || state === "warning");

test("a server that behaves has no problem, and each check says what it confirmed", async () => {
  const found = await findings(await server());
  expect(problems(found)).toEqual([]);
  expect(found.filter(({ state }) => state === "ok").length).toBeGreaterThan(12);
  for (const { sentence, fix } of found) expect([sentence.endsWith("."), fix]).toEqual([true, null]);
});

test("where nothing listens, one finding says so and the rest is not tried", async () => {
  const unused = createTcpServer();
  await new Promise<void>((resolve) => unused.listen(0, "127.0.0.1", resolve));
  const { port } = unused.address() as AddressInfo;
  await new Promise((resolve) => unused.close(resolve));
  expect(await findings(`http://127.0.0.1:${port}`)).toMatchObject([
    { check: "health", state: "failed", fix: expect.stringContaining("port") },
  ]);
});

describe("what stands between a provider and the receiver", () => {
  const isWebhook = ({ url = "" }: IncomingMessage) => url.startsWith("/api/webhooks/stripe");
  type Answer = [status: number, headers: Record<string, string>, body: string];
  test.each<[string, Answer, RegExp]>([
    ["a guard that asks for a session", [401, {}, ""], /sign-in.*guard/],
    ["a guard that redirects to a sign-in page", [307, { location: "/sign-in?next=x" }, ""], /sign-in page.*guard/],
    ["a bot filter", [403, { "content-type": "text/html" }, "<html>"], /firewall or bot filter/],
    [
      "a redirect to another host",
      [308, { location: "https://www.shop.example/api/webhooks/stripe" }, ""],
      /do not follow.*https:\/\/www/,
    ],
    ["a website without the route", [404, { "content-type": "text/html" }, "<html>"], /does not reach Gatehouse/],
    ["a single-page app that answers everything", [200, { "content-type": "text/html" }, "<html>"], /web page/],
    ["an endpoint that was given up", [410, {}, ""], /disable the endpoint/],
    ["a proxy without its upstream", [502, {}, ""], /no answer from Gatehouse/],
  ])("%s is named with its fix", async (_, [status, headers, body], expected) => {
    const origin = await server((incoming, outgoing) => {
      if (!isWebhook(incoming)) return false;
      outgoing.writeHead(status, headers).end(body);
      return true;
    });
    const unsigned = (await findings(origin)).find(({ check }) => check === "unsigned");
    expect(unsigned).toMatchObject({ state: "failed", endpoint: "stripe" });
    expect(`${unsigned?.sentence} ${unsigned?.fix}`).toMatch(expected);
  });

  test("a redirect of trailing slashes alone fails only that check", async () => {
    const origin = await server(({ url = "" }, outgoing) => {
      if (!url.endsWith("stripe/")) return false;
      outgoing.writeHead(308, { location: "/api/webhooks/stripe" }).end();
      return true;
    });
    expect(problems(await findings(origin)).map(({ check }) => check)).toEqual(["trailing_slash"]);
  });

  test("a server that corrects a double slash by a redirect gets a warning", async () => {
    const origin = await server(({ url = "" }, outgoing) => {
      if (!url.startsWith("//")) return false;
      outgoing.writeHead(308, { location: url.slice(1) }).end();
      return true;
    });
    expect(problems(await findings(origin))).toMatchObject([
      { check: "double_slash", state: "warning", seen: "308 to /api/webhooks/stripe" },
    ]);
  });

  test("a proxy that closes the connection on a large body", async () => {
    const origin = await server((incoming) => {
      if (Number(incoming.headers["content-length"] ?? 0) <= 1024 * 1024) return false;
      incoming.socket.destroy();
      return true;
    });
    expect(problems(await findings(origin))).toMatchObject([
      { check: "oversize", fix: expect.stringContaining("limit") },
    ]);
  });

  test("a proxy that cuts signed bodies", async () => {
    const sign = (bytes: number) => ({
      headers: { "content-type": "application/json", "x-signature": "11" },
      body: "x".repeat(bytes),
    });
    const found = await findings(await server(), [{ ...STRIPE, sign }]);
    expect(problems(found)).toMatchObject([
      { check: "bodies", seen: "400 for 20 KB", sentence: expect.stringContaining("cut") },
    ]);
  });
});

describe("the receiver itself", () => {
  const answering = (reason: string, status: number) =>
    server(({ url = "" }, outgoing) => {
      if (url !== "/api/webhooks/stripe") return false;
      outgoing.writeHead(status, { "content-type": "application/json" }).end(json(reason));
      return true;
    });
  test.each<[string, number, string, RegExp]>([
    ["secret_not_configured", 503, "forged", /signing secret of Stripe/],
    ["secret_unreadable", 503, "forged", /GATEHOUSE_SECRET/],
    ["accepted", 200, "forged", /Rotate the signing secret/],
    ["provider_disabled", 404, "unsigned", /Enable it/],
    ["provider_unknown", 404, "unsigned", /last segment/],
  ])("%s is explained", async (reason, status, check, fix) => {
    const found = await findings(await answering(reason, status));
    expect(found.find((one) => one.check === check)?.fix).toMatch(fix);
  });
});

test("an endpoint that nobody configured misses no secret", async () => {
  const origin = await server(({ url = "", headers }, outgoing) => {
    if (url !== "/api/webhooks/stripe" || headers["x-signature"] === undefined) return false;
    outgoing.writeHead(503, { "content-type": "application/json" }).end(json("secret_not_configured"));
    return true;
  });
  const stateOf = async (isConfigured: boolean) =>
    (await findings(origin, [{ ...STRIPE, isConfigured }])).find(({ check }) => check === "forged")?.state;
  expect([await stateOf(true), await stateOf(false)]).toEqual(["failed", "skipped"]);
});

describe("the server", () => {
  const onPath = (
    path: string,
    headers: Record<string, string>,
    body: (origin: string, incoming: IncomingMessage) => string,
  ) =>
    server((incoming, outgoing) => {
      if (incoming.url !== path) return false;
      outgoing.writeHead(200, headers).end(body(`http://${incoming.headers.host}`, incoming));
      return true;
    });
  const metadata = (issuer: string, origin: string) =>
    JSON.stringify({ issuer, jwks_uri: `${origin}/.well-known/jwks.json` });
  const DISCOVERY = "/.well-known/oauth-authorization-server";

  test.each<[string, () => Promise<string>, string, RegExp]>([
    [
      "another issuer",
      () => onPath(DISCOVERY, {}, (origin) => metadata("https://other.example", origin)),
      "issuer",
      /GATEHOUSE_ISSUER/,
    ],
    [
      "an issuer taken from X-Forwarded-Host",
      () =>
        onPath(DISCOVERY, {}, (origin, { headers }) => metadata(String(headers["x-forwarded-host"] ?? origin), origin)),
      "forwarded_host",
      /X-Forwarded-Host/,
    ],
    ["an empty key set", () => onPath("/.well-known/jwks.json", {}, () => '{"keys":[]}'), "jwks", /keys list/],
    [
      "a cookie that scripts can read",
      () => onPath("/sign-in", { "set-cookie": "csrf=1; SameSite=Lax" }, () => ""),
      "cookies",
      /Set-Cookie/,
    ],
    [
      "a cookie for every subdomain",
      () => onPath("/sign-in", { "set-cookie": "a=1; HttpOnly; SameSite=Lax; Domain=x.example" }, () => ""),
      "cookies",
      /Domain/,
    ],
    ["no cookie", () => onPath("/sign-in", {}, () => ""), "cookies", /uncached/],
    [
      "OP-84 a clock that is an hour slow",
      () => onPath("/healthz", { date: new Date(Date.now() - 3_600_000).toUTCString() }, () => ""),
      "clock",
      /NTP/,
    ],
  ])("%s is found", async (_, start, check, fix) => {
    const found = problems(await findings(await start(), []));
    expect(found.map((one) => one.check)).toEqual([check]);
    expect(found[0]?.fix).toMatch(fix);
  });

  test("an unknown endpoint that is answered by something else", async () => {
    const origin = await server((incoming, outgoing) => {
      if (!incoming.url?.includes("unknown")) return false;
      outgoing.writeHead(200, { "content-type": "text/html" }).end("<html>");
      return true;
    });
    expect(problems(await findings(origin, []))).toMatchObject([{ check: "unknown" }]);
  });
});

describe("OP-05 what stands in front of the server", () => {
  const PROOF = { "x-proof": "1" };
  const isMirror = ({ url, headers }: IncomingMessage) => url === "/api/doctor" && headers["x-proof"] === "1";

  test("a server that behaves tells its own doctor what it sees, and nobody else", async () => {
    const origin = await server();
    const all = (found: Finding[]) => Object.fromEntries(found.map(({ check, state }) => [check, state]));
    expect(problems(await findings(origin, [], PROOF))).toEqual([]);
    expect(all(await findings(origin, [], PROOF))).toMatchObject({
      caller_address: "ok",
      request_id: "ok",
      events: "ok",
      large_cookies: "ok",
      body_limit: "ok",
      old_tls: "skipped",
      plain_pages: "skipped",
    });
    expect(all(await findings(origin, []))).toMatchObject({ caller_address: "skipped", events: "skipped" });
  });

  test.each<[string, (incoming: IncomingMessage) => object, string, string, RegExp]>([
    [
      "a proxy that passes X-Forwarded-For on",
      ({ headers }) => ({ address: headers["x-forwarded-for"] ?? "127.0.0.1", requestId: null }),
      "caller_address",
      "failed",
      /replace X-Forwarded-For/,
    ],
    [
      "a server that does not know its proxy",
      () => ({ address: "10.255.255.254", requestId: null }),
      "caller_address",
      "warning",
      /GATEHOUSE_TRUST_PROXY=1/,
    ],
    [
      "a proxy that passes X-Request-Id on",
      ({ headers }) => ({ address: "127.0.0.1", requestId: headers["x-request-id"] ?? null }),
      "request_id",
      "warning",
      /X-Request-Id/,
    ],
  ])("%s is found", async (_, see, check, state, fix) => {
    const origin = await server((incoming, outgoing) => {
      if (!isMirror(incoming)) return false;
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(`data: ${JSON.stringify(see(incoming))}\n\n`);
      setTimeout(() => outgoing.end("data: {}\n\n"), 1_000);
      return true;
    });
    const found = problems(await findings(origin, [], PROOF));
    expect(found).toMatchObject([{ check, state, fix: expect.stringMatching(fix) }]);
  });

  test("a proxy that buffers events is found", async () => {
    const origin = await server((incoming, outgoing) => {
      if (!isMirror(incoming)) return false;
      const event = 'data: {"address":"127.0.0.1","requestId":null}\n\n';
      outgoing.writeHead(200, { "content-type": "text/event-stream" }).end(event + event);
      return true;
    });
    expect(problems(await findings(origin, [], PROOF))).toMatchObject([{ check: "events", state: "failed" }]);
  });

  test("a doctor with another secret is told so", async () => {
    const found = problems(await findings(await server(), [], { "x-proof": "2" }));
    expect(found.map(({ check, state }) => [check, state])).toEqual([
      ["caller_address", "failed"],
      ["request_id", "failed"],
      ["events", "failed"],
    ]);
    expect(found[0]?.fix).toMatch(/GATEHOUSE_SECRET/);
  });

  test.each<[string, (incoming: IncomingMessage) => number | undefined, string, RegExp]>([
    [
      "refuses bodies of 900 KB",
      ({ headers }) => (Number(headers["content-length"] ?? 0) > 600_000 ? 413 : undefined),
      "body_limit",
      /limit for bodies/,
    ],
    [
      "refuses many cookies",
      ({ headers }) => ((headers.cookie ?? "").length > 8_000 ? 400 : undefined),
      "large_cookies",
      /headers/,
    ],
  ])("a proxy that %s is found", async (_, refuses, check, fix) => {
    const origin = await server((incoming, outgoing) => {
      const status = refuses(incoming);
      if (status !== undefined) outgoing.writeHead(status).end();
      return status !== undefined;
    });
    const found = problems(await findings(origin, []));
    expect(found.map((one) => one.check)).toEqual([check]);
    expect(found[0]?.fix).toMatch(fix);
  });
});
