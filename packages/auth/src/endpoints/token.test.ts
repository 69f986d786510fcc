import { describe, expect, test } from "vitest";
import { basic, formRequest, post, read, SERVICE_SECRET, scene } from "../testing/index.ts";
import { token } from "./token.ts";

const AUTH = basic("shop-worker", SERVICE_SECRET);
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const GOOD = "grant_type=client_credentials";

/** Sends a raw request, good in everything that `change` does not touch. */
async function send(change: {
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | null;
}) {
  const s = scene();
  const { method = "POST", url = "https://gate.example/token", headers = {}, body = GOOD } = change;
  const request = new Request(url, {
    method,
    headers: { ...FORM, ...AUTH, ...headers },
    ...(method !== "GET" && method !== "HEAD" && { body }),
  });
  const answer = await read(await token(request, s.deps, s.caller));
  return { ...answer, cause: s.tables.refusals.at(-1)?.cause };
}

describe("POST /token, OAuth 2.1 §3.2", () => {
  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE"])("TK-01 N21: %s is rejected with Allow", async (method) => {
    const answer = await send({ method });
    expect(answer).toMatchObject({ status: 405, cause: "method_not_allowed" });
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
  });

  test.each([
    ["the plain type", "application/x-www-form-urlencoded"],
    ["with a charset", "application/x-www-form-urlencoded; charset=UTF-8"],
    ["in other case", "Application/X-WWW-Form-URLEncoded;charset=utf-8"],
  ])("TK-02: accepts %s", async (_, type) => {
    expect((await send({ headers: { "content-type": type } })).status).toBe(200);
  });

  test.each([
    ["JSON", "application/json", '{"grant_type":"client_credentials"}'],
    [
      "multipart",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\nclient_credentials\r\n--x--',
    ],
    ["plain text", "text/plain", GOOD],
    ["a longer name", "application/x-www-form-urlencoded-not", GOOD],
    ["no type", "", GOOD],
  ])("TK-02 N21: rejects %s", async (_, type, body) => {
    expect(await send({ headers: { "content-type": type }, body })).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
      cause: "content_type_unsupported",
    });
  });

  test.each(["client_secret", "code", "refresh_token", "code_verifier", "device_code", "client_assertion", "password"])(
    "TK-03 N21: %s in the URL is refused",
    async (name) => {
      const answer = await send({ url: `https://gate.example/token?${name}=x` });
      expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request" }, cause: "parameter_in_query" });
    },
  );

  test("TK-03: other parameters in the URL are not read", async () => {
    const answer = await send({ url: `https://gate.example/token?${GOOD}`, body: "scope=api:read" });
    expect(answer).toMatchObject({ status: 400, cause: "grant_type_missing" });
  });

  test.each([
    ["grant_type, identical", `${GOOD}&${GOOD}`],
    ["code", `${GOOD}&code=a&code=b`],
    ["client_id", `${GOOD}&client_id=shop-worker&client_id=shop-worker`],
    ["scope, once empty", `${GOOD}&scope=&scope=api:read`],
  ])("TK-04 N22 NX-05: %s twice is rejected", async (_, body) => {
    expect(await send({ body })).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
      cause: "parameter_repeated",
    });
  });

  test.each([
    ["an unknown parameter, even twice", `${GOOD}&colour=red&colour=blue`],
    ["an empty parameter counts as absent", `${GOOD}&scope=&client_secret=`],
    ["RFC 8707: resource twice", `${GOOD}&resource=https://gate.example/api&resource=https://gate.example/api`],
  ])("TK-04: %s", async (_, body) => {
    expect((await send({ body })).status).toBe(200);
  });

  test.each([
    ["missing", "scope=api:read", "invalid_request"],
    ["empty", "grant_type=", "invalid_request"],
    ["password N20", "grant_type=password&username=ada&password=x", "unsupported_grant_type"],
    ["implicit", "grant_type=implicit", "unsupported_grant_type"],
    ["Authorization_Code N20", "grant_type=Authorization_Code", "unsupported_grant_type"],
    ["device_code", "grant_type=device_code", "unsupported_grant_type"],
    ["toString", "grant_type=toString", "unsupported_grant_type"],
    ["__proto__", "grant_type=__proto__", "unsupported_grant_type"],
    [
      "assertions as grants, not offered",
      "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer",
      "unsupported_grant_type",
    ],
    [
      "TX-01: token exchange, opt-in",
      "grant_type=urn:ietf:params:oauth:grant-type:token-exchange",
      "unauthorized_client",
    ],
    ["one this client is not registered for", "grant_type=authorization_code&code=x", "unauthorized_client"],
  ])("TK-05 TK-07: grant_type %s", async (_, body, error) => {
    expect(await send({ body })).toMatchObject({ status: 400, body: { error } });
  });

  test.each<[string, Record<string, string>]>([
    ["good credentials", AUTH],
    ["bad credentials", basic("shop-worker", "wrong")],
    ["no credentials", {}],
  ])("TK-06 N20 SE-22: grant_type=password is 400 with %s", async (_, headers) => {
    const s = scene();
    expect(await post(s, token, { grant_type: "password" }, headers)).toMatchObject({
      status: 400,
      body: { error: "unsupported_grant_type" },
    });
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
    ["a NUL", `${GOOD}&scope=a%00b`, 400],
    ["a line break", `${GOOD}&client_id=a%0d%0ab`, 400],
    ["a broken escape", `${GOOD}&scope=%zz`, 400],
    ["half an escape", `${GOOD}&scope=%4`, 400],
    ["an escape that is not UTF-8", `${GOOD}&scope=%ff`, 400],
    ["bytes that are not UTF-8", new Uint8Array([...Buffer.from(`${GOOD}&scope=`), 0xff, 0xfe]), 400],
    ["a value of 1 MB", `${GOOD}&scope=${"x".repeat(1_000_000)}`, 413],
    ["an empty body", "", 400],
  ])("TK-10: %s gets a JSON error", async (_, body, status) => {
    const answer = await send({ body });
    expect(answer).toMatchObject({ status, body: { error: "invalid_request" } });
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  test("TK-10: a declared length over the limit is rejected without reading", async () => {
    expect((await send({ headers: { "content-length": "70000" } })).status).toBe(413);
  });

  test("TK-09 TK-11 TK-15 D13: an error is not cached, is plain ASCII and has the id of its ledger entry", async () => {
    const s = scene();
    const answer = await post(s, token, { grant_type: 'pass\u00e9"word' }, AUTH);
    const [entry] = s.tables.refusals;
    expect(answer.body).toEqual({
      error: "unsupported_grant_type",
      error_description: expect.any(String),
      error_id: entry?.errorId,
    });
    expect(answer.body["error_description"]).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    expect(answer.headers.get("gatehouse-error-id")).toBe(entry?.errorId ?? "none");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(entry).toMatchObject({
      endpoint: "/token",
      clientId: "shop-worker",
      address: "192.0.2.7",
      cause: "grant_type_unsupported",
    });
  });

  test("TK-10 D13: an internal error is a server_error without details, and the host is notified", async () => {
    const s = scene();
    const failures: unknown[] = [];
    const broken = { ...s.store, findClient: () => Promise.reject(new Error("disk on fire at 10.0.0.1")) };
    const deps = { ...s.deps, store: broken, onError: (error: unknown) => failures.push(error) };
    const answer = await read(await token(formRequest({ grant_type: "client_credentials" }, AUTH), deps, s.caller));
    expect(answer).toMatchObject({ status: 500, body: { error: "server_error" } });
    expect(answer.text).not.toContain("disk");
    expect(failures).toHaveLength(1);
    expect(s.tables.refusals[0]).toMatchObject({ cause: "internal", message: "unexpected: Error" });
  });

  test("D13: a failed write to the ledger does not change the response", async () => {
    const s = scene();
    const deps = { ...s.deps, store: { ...s.store, recordRefusal: () => Promise.reject(new Error("full")) } };
    const answer = await read(await token(formRequest({ grant_type: "password" }), deps, s.caller));
    expect(answer).toMatchObject({ status: 400, body: { error: "unsupported_grant_type" } });
  });
});

describe("CORS at /token, TK-12 BB-02 interop-18", () => {
  test("BB-02: a preflight is answered 204 and allows what clients send", async () => {
    const answer = await send({ method: "OPTIONS", body: null });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-methods")).toBe("POST");
    expect(answer.headers.get("access-control-allow-headers")).toContain("authorization, content-type");
  });

  test("BB-02: a preflight also allows the headers that tracing libraries add; the wildcard does not cover authorization", async () => {
    const answer = await send({
      method: "OPTIONS",
      body: null,
      headers: { "access-control-request-headers": "baggage,traceparent" },
    });
    const allowed = (answer.headers.get("access-control-allow-headers") ?? "").split(", ");
    expect(allowed).toEqual(expect.arrayContaining(["authorization", "*"]));
  });

  test.each([
    ["a success", GOOD, 200],
    ["BB-05 an error", "grant_type=password", 400],
  ])("BB-02: %s can be read from any origin, without credentials", async (_, body, status) => {
    const answer = await send({ body, headers: { origin: "https://spa.example" } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("Gatehouse-Error-Id");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  });
});
