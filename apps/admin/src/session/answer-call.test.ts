import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { GatehouseError as SessionError, TokenOptions } from "@gatehouse/sdk/next";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

vi.resetModules(); // the console reads its environment once
const { answerCall } = await import("./answer-call.ts");
const { GatehouseError } = await import("@gatehouse/sdk/next");

const LIMIT = 256 * 1024;
const CONSOLE = "http://localhost:3001";
const KEY = "only-for-tests-0123456789-0123456789";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };
const JSON_TYPE = { "content-type": "application/json" };
/** What the server accepts. */
const LIVE = "gat_live";

/** The server's /trpc, with one token that it accepts. */
const seen: { token: string | undefined; url: string | undefined; length: number; user: unknown }[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    const token = request.headers.authorization?.slice("Bearer ".length);
    seen.push({ token, url: request.url, length, user: request.headers["gatehouse-user"] });
    response.setHeader("content-type", "application/json");
    if (request.url?.startsWith("/trpc/fresh.only")) {
      response.setHeader("www-authenticate", 'Bearer error="insufficient_user_authentication", max_age="600"');
      response.writeHead(401).end(JSON.stringify({ error: { data: { httpStatus: 401, stepUp: {} } } }));
    } else if (token === LIVE) response.end(JSON.stringify({ result: { data: "yes" } }));
    else response.writeHead(401).end(JSON.stringify({ error: {} }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  vi.stubEnv("GATEHOUSE_ISSUER", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("GATEHOUSE_ADMIN_URL", CONSOLE);
  vi.stubEnv("GATEHOUSE_CONSOLE_CLIENT_SECRET", KEY);
  vi.stubEnv("GATEHOUSE_CONSOLE_COOKIE_KEY", KEY);
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  server.close();
});

type Sent = { procedure?: string; headers?: Record<string, string>; body?: BodyInit };

/** `token` is what the session has; `live` what it has once the server was asked. An error is thrown. */
function call(token: string | SessionError, live: string | SessionError = token, sent: Sent = {}) {
  const { procedure = "me.get", headers = OWN_PAGE, body } = sent;
  const asked: TokenOptions[] = [];
  const request = new Request(`${CONSOLE}/api/trpc/x?batch=1`, {
    headers,
    ...(body !== undefined && { method: "POST", body, duplex: "half" }),
  } as RequestInit);
  const answer = answerCall(request, procedure, async (options = {}) => {
    asked.push(options);
    const found = options.live ? live : token;
    if (found instanceof GatehouseError) throw found;
    return found;
  });
  return answer.then((response) => ({ response, status: response.status, asked }));
}

const signedOut = new GatehouseError("signed_out", "nobody");
const down = new GatehouseError("unavailable", "no answer", { retryAfterSeconds: 7 });

describe("a call of a page's procedure", () => {
  test("is forwarded with the token of the session and the user of the page", async () => {
    const { response, asked } = await call(LIVE, LIVE, { headers: { ...OWN_PAGE, "gatehouse-user": "ada" } });
    expect(await response.json()).toEqual({ result: { data: "yes" } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(seen).toEqual([{ token: LIVE, url: "/trpc/me.get?batch=1", length: 0, user: "ada" }]);
    expect(asked).toEqual([{}]);
  });

  test("N84 whose token the server rejects asks whether the session goes on, and is sent once more if it does", async () => {
    expect((await call("gat_stale", LIVE)).status).toBe(200);
    expect(seen.map(({ token }) => token)).toEqual(["gat_stale", LIVE]);
    const rejected = await call("gat_stale", "gat_other");
    expect([rejected.status, rejected.asked.length, seen.length]).toEqual([401, 2, 4]);
  });

  test("N84 N97 says that the session has ended, or that nobody knows", async () => {
    const ended = await call("gat_stale", signedOut);
    expect([ended.status, await ended.response.json()]).toEqual([
      401,
      { error: expect.objectContaining({ data: { code: "UNAUTHORIZED", httpStatus: 401 } }) },
    ]);
    expect((await call(signedOut)).status).toBe(401);
    expect((await call(new GatehouseError("cross_origin", "foreign"))).status).toBe(403);
    const unknown = await call(down);
    expect([unknown.status, unknown.response.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(seen.map(({ token }) => token)).toEqual(["gat_stale"]);
  });

  test("CO-88 passes on that a fresh sign-in is needed: renewing would not help", async () => {
    const { response, status, asked } = await call(LIVE, LIVE, { procedure: "fresh.only" });
    expect([status, asked]).toEqual([401, [{}]]);
    expect(response.headers.get("www-authenticate")).toContain("insufficient_user_authentication");
    expect(await response.json()).toMatchObject({ error: { data: { stepUp: {} } } });
  });

  test.each([
    ["another site's page", { "sec-fetch-site": "cross-site" }, "me.get", 403],
    ["another port's page", { "sec-fetch-site": "same-site" }, "me.get", 403],
    ["a path outside /trpc", OWN_PAGE, "../token", 404],
  ])("CO-94 from %s is rejected, before the session is read", async (_, headers, procedure, status) => {
    const answer = await call(LIVE, LIVE, { procedure, headers });
    expect([answer.status, answer.asked, seen]).toEqual([status, [], []]);
  });

  test("CO-94 is limited for a session, in calls and not in requests", async () => {
    const many = Array.from({ length: 100 }, () => "me.get").join(",");
    const statuses = [];
    for (let request = 0; request < 5; request++)
      statuses.push((await call("gat_busy", "gat_busy", { procedure: many })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
  });
});

describe("the body of a call, CO-94", () => {
  /** `length` bytes, announced, or as a stream that says nothing of its length. */
  async function send(length: number, { announced }: { announced: boolean }): Promise<number> {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= length) return controller.close();
        const chunk = new Uint8Array(Math.min(64 * 1024, length - sent)).fill(32);
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    const headers = { ...OWN_PAGE, ...JSON_TYPE, ...(announced && { "content-length": String(length) }) };
    const { status } = await call(LIVE, LIVE, { headers, body });
    expect(sent).toBeLessThanOrEqual(LIMIT + 3 * 64 * 1024); // stopped reading; a stream reads a few chunks ahead
    return status;
  }

  test.each([{ announced: true }, { announced: false }])(
    "is forwarded up to 256 KiB, length announced: $announced",
    async (how) => {
      expect(await send(LIMIT, how)).toBe(200);
      expect(seen.at(-1)?.length).toBe(LIMIT);
    },
  );

  test.each([{ announced: true }, { announced: false }])("gets 413 beyond that, unread: $announced", async (how) => {
    expect(await send(100 * LIMIT, how)).toBe(413);
    expect(seen).toEqual([]);
  });

  test.each<[string, Record<string, string>, number]>([
    ["JSON", { "content-type": "Application/JSON; charset=utf-8" }, 200],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["a form with files", { "content-type": "multipart/form-data; boundary=x" }, 415],
    ["text", { "content-type": "text/plain" }, 415],
    ["text that names JSON", { "content-type": "text/plain; application/json" }, 415],
    ["JSON beside something else", { "content-type": "text/plain, application/json" }, 415],
    ["bytes of no type", {}, 415],
  ])("SE-09 is forwarded as JSON alone: %s", async (_, type, status) => {
    const answer = await call(LIVE, LIVE, { headers: { ...OWN_PAGE, ...type }, body: Buffer.from("{}") });
    expect([answer.status, seen.length]).toEqual([status, status === 200 ? 1 : 0]);
  });
});
