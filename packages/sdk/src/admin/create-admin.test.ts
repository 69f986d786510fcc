import { describe, expect, test, vi } from "vitest";
import { GatehouseError } from "../error.ts";
import { AdminError, createAdmin } from "./index.ts";
import { KINDS } from "./procedures.ts";

const ISSUER = "https://gate.example";
const TOKEN = "gap_0123456789abcdef";

/** A client of a server that gives these answers, one after the other, and the requests that it got. */
function clientOf(...answers: (Response | Error)[]) {
  const requests: Request[] = [];
  const send: typeof fetch = async (url, init) => {
    requests.push(new Request(url as URL, init));
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer instanceof Response) return answer.clone();
    throw answer;
  };
  return { admin: createAdmin({ issuer: ISSUER, token: TOKEN, fetch: send }), requests };
}
const result = (data: unknown) => Response.json({ result: { data } });
const refusal = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}) =>
  Response.json({ error: { message: "No.", data: { code, ...more } } }, { status, headers });
const PLAN = { file: "{}", planId: "p" };

/** Runs a call whose waits take no time, and returns how it ended. */
async function ending(call: () => Promise<unknown>): Promise<unknown> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const ended = call().catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    return await ended;
  } finally {
    vi.useRealTimers();
  }
}

describe("PK-58 createAdmin", () => {
  test("has every procedure of the table, and nothing else", () => {
    const { admin } = clientOf(result(null));
    const paths = Object.entries(admin).flatMap(([noun, verbs]) => Object.keys(verbs).map((verb) => `${noun}.${verb}`));
    expect(paths.sort()).toEqual(Object.keys(KINDS).sort());
  });

  test("sends a read by GET and a change by POST, with the token in the header alone", async () => {
    const { admin, requests } = clientOf(result({ items: [] }));
    await admin.audit.list({ environment: "production", limit: 5 });
    await admin.configuration.applyFile(PLAN);
    const [read, change] = requests;
    expect(read?.method).toBe("GET");
    expect(new URL(read?.url ?? "").searchParams.get("input")).toBe('{"environment":"production","limit":5}');
    expect([change?.method, change?.url, await change?.text()]).toEqual([
      "POST",
      `${ISSUER}/trpc/configuration.applyFile`,
      JSON.stringify(PLAN),
    ]);
    for (const { headers, url, redirect } of requests) {
      expect(headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
      expect(url).not.toContain(TOKEN);
      expect(redirect).toBe("manual");
    }
  });

  test.each<[string, Response | Error]>([
    ["an unreachable server", new TypeError("fetch failed")],
    ["a server that is away", refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": "2" })],
    ["a proxy without a server", new Response("<html>", { status: 502 })],
    ["too many calls", refusal(429, "TOO_MANY_REQUESTS", { "retry-after": "1" })],
  ])("repeats reads after %s, and changes never", async (_, answer) => {
    const read = clientOf(answer, answer, result({ items: [] }));
    expect(await ending(() => read.admin.audit.list({}))).toEqual({ items: [] });
    expect(read.requests).toHaveLength(3);
    const lasting = clientOf(answer);
    expect(await ending(() => lasting.admin.audit.list({}))).toBeInstanceOf(AdminError);
    expect(lasting.requests).toHaveLength(3);
    const change = clientOf(answer);
    expect(await ending(() => change.admin.configuration.applyFile(PLAN))).toBeInstanceOf(AdminError);
    expect(change.requests).toHaveLength(1);
  });

  test("does not repeat a refused read, nor one that the server wants much later", async () => {
    for (const answer of [refusal(403, "FORBIDDEN"), refusal(429, "TOO_MANY_REQUESTS", { "retry-after": "3600" })]) {
      const { admin, requests } = clientOf(answer);
      expect(await ending(() => admin.audit.list({}))).toBeInstanceOf(AdminError);
      expect(requests).toHaveLength(1);
    }
  });

  test("an error has the code, the status, the request's id and the fields, and never the token", async () => {
    const problems = [{ path: "limit", message: "is too large" }];
    const { admin } = clientOf(refusal(400, "BAD_REQUEST", { "x-request-id": "req_1" }, { problems }));
    const refused = await ending(() => admin.audit.list({}));
    expect(refused).toMatchObject({ code: "BAD_REQUEST", status: 400, requestId: "req_1", problems, message: "No." });
    const page = await ending(() => clientOf(new Response("<html>", { status: 404 })).admin.audit.list({}));
    expect(page).toMatchObject({ code: "UNREACHABLE", status: 404 });
    const away = await ending(() => clientOf(new TypeError("fetch failed")).admin.audit.list({}));
    for (const error of [refused, page, away])
      expect(JSON.stringify([error, String(error), Object.entries(error as object)])).not.toContain(TOKEN);
  });

  test("a redirect is no answer, and the token does not follow it", async () => {
    const { admin, requests } = clientOf(
      new Response(null, { status: 302, headers: { location: "https://evil.example" } }),
    );
    expect(await ending(() => admin.audit.list({}))).toMatchObject({ code: "UNREACHABLE", status: 302 });
    expect(requests.every(({ url }) => new URL(url).origin === ISSUER)).toBe(true);
  });

  test.each([
    ["an issuer over http", { issuer: "http://gate.example" }],
    ["an issuer with a path", { issuer: "https://gate.example/" }],
    ["no issuer", { issuer: undefined }],
    ["no token", { token: undefined }],
    ["an access token", { token: "at_0123456789" }],
    ["a token with a line break", { token: "gap_1\r\nx: y" }],
  ])("%s is refused at once, without repeating it", (_, change) => {
    const options = { issuer: ISSUER, token: TOKEN, ...change } as Parameters<typeof createAdmin>[0];
    expect(() => createAdmin(options)).toThrow(GatehouseError);
  });
});
