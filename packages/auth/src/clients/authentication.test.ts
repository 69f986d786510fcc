import { describe, expect, test } from "vitest";
import { storageHash } from "../crypto/secret.ts";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import { introspect } from "../endpoints/introspect.ts";
import { revoke } from "../endpoints/revoke.ts";
import { token } from "../endpoints/token.ts";
import { createThrottle } from "../http/throttle.ts";
import { basic, formRequest, NOON, post, read, SERVICE_SECRET, scene, WEB_SECRET } from "../testing/index.ts";
import type { Client, ClientSecret } from "./client.ts";

const raw = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
const GOOD = { client_id: "shop-worker", client_secret: SERVICE_SECRET };

async function ask(
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
  change: Partial<Client> = {},
) {
  const s = scene();
  s.changeClient("shop-worker", change);
  const answer = await post(s, token, { grant_type: "client_credentials", ...parameters }, headers);
  return { ...answer, entry: s.tables.refusals.at(-1), touched: s.tables.touchedSecrets };
}

describe("client authentication, OAuth 2.1 §2.4", () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["CA-01 client_secret_post", GOOD, {}],
    ["CA-01 client_secret_basic", {}, basic("shop-worker", SERVICE_SECRET)],
    [
      "the scheme in lower case",
      {},
      { authorization: basic("shop-worker", SERVICE_SECRET).authorization.replace("Basic", "basic") },
    ],
    [
      "CA-04 interop 5: Basic with the same client_id in the body",
      { client_id: "shop-worker" },
      basic("shop-worker", SERVICE_SECRET),
    ],
    [
      "interop 4: Basic with an empty client_secret in the body",
      { client_secret: "" },
      basic("shop-worker", SERVICE_SECRET),
    ],
  ])("accepts %s", async (_, parameters, headers) => {
    expect((await ask(parameters, headers)).status).toBe(200);
  });

  const odd = "a:b+c% d&é=%41";
  test.each([
    ["form-encoded with plus for space", basic("shop-worker", odd)],
    ["percent-encoded with %20 for space", raw(`shop-worker:${encodeURIComponent(odd)}`)],
    ["interop 6: not encoded at all", raw(`shop-worker:${odd}`)],
  ])("CA-02: a secret with special characters, %s", async (_, headers) => {
    const secrets = [{ id: "odd", hash: storageHash(odd), createdAt: NOON, expiresAt: null, revokedAt: null }];
    expect((await ask({}, headers, { secrets })).status).toBe(200);
  });

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ["a wrong secret by Basic", {}, basic("shop-worker", "wrong"), "secret_wrong"],
    ["a wrong secret in the body", { ...GOOD, client_secret: "wrong" }, {}, "secret_wrong"],
    ["an unknown client by Basic", {}, basic("nobody", "wrong"), "client_unknown"],
    ["an unknown client in the body", { client_id: "nobody", client_secret: "wrong" }, {}, "client_unknown"],
    ["an unknown client without a secret", { client_id: "nobody" }, {}, "client_unknown"],
    ["CA-06 CA-08 a confidential client with client_id alone", { client_id: "shop-worker" }, {}, "secret_missing"],
    [
      "a confidential client with an empty secret",
      { client_id: "shop-worker", client_secret: "" },
      {},
      "secret_missing",
    ],
    ["a confidential client with an empty secret by Basic", {}, raw("shop-worker:"), "secret_missing"],
    ["no client at all", {}, {}, "client_missing"],
    ["a name of an object's own", { client_id: "__proto__" }, {}, "client_unknown"],
    [
      "CA-04 another client_id in the body",
      { client_id: "shop-api" },
      basic("shop-worker", SERVICE_SECRET),
      "client_id_mismatch",
    ],
    [
      "CA-07 CA-11 a public client with a secret",
      { client_id: "shop-cli", client_secret: "x" },
      {},
      "secret_from_public_client",
    ],
    [
      "a client that is switched off",
      { client_id: "shop-off", client_secret: "gcs_web-secret-0123456789-0123456789-01234" },
      {},
      "client_disabled",
    ],
    ["CA-02 Basic that is not base64", {}, { authorization: "Basic !!!" }, "client_credentials_malformed"],
    ["CA-02 Basic without a colon", {}, raw("shop-worker"), "client_credentials_malformed"],
    ["CA-02 Basic without an id", {}, raw(":secret"), "client_credentials_malformed"],
    ["CA-02 Basic with a NUL", {}, raw("shop\u0000:x"), "client_credentials_malformed"],
    ["CA-02 Basic with an encoded NUL", {}, raw("shop%00:x"), "client_unknown"],
    ["CA-02 Basic with a broken escape", {}, raw("shop-worker:%zz"), "secret_wrong"],
    ["another scheme", GOOD, { authorization: "Bearer x" }, "mixed"],
    [
      "another scheme alone",
      { client_id: "shop-worker" },
      { authorization: "Bearer x" },
      "client_credentials_malformed",
    ],
    [
      "an assertion without its type",
      { client_id: "shop-worker", client_assertion: "a.b.c" },
      {},
      "client_credentials_malformed",
    ],
  ])("CA-05 N23: %s", async (_, parameters, headers, cause) => {
    const answer = await ask(parameters, headers);
    if (cause === "mixed") return expect(answer.entry?.cause).toBe("client_mechanisms_mixed");
    expect(answer.entry?.cause).toBe(cause);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="gatehouse"');
    expect(answer.text).toBe('{"error":"invalid_client","error_description":"Client authentication failed."}');
    expect(answer.headers.get("gatehouse-error-id")).toBe(answer.entry?.errorId ?? "none");
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["N24 Basic and client_secret", GOOD, basic("shop-worker", SERVICE_SECRET)],
    ["Basic and an assertion", { client_assertion: "a.b.c" }, basic("shop-worker", SERVICE_SECRET)],
    ["client_secret and an assertion", { ...GOOD, client_assertion: "a.b.c" }, {}],
  ])("CA-04: %s in one request", async (_, parameters, headers) => {
    const answer = await ask(parameters, headers);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
      entry: { cause: "client_mechanisms_mixed" },
    });
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["client_id alone", { client_id: "shop-cli" }, {}],
    ["interop 4: an empty client_secret", { client_id: "shop-cli", client_secret: "" }, {}],
    ["interop 3: Basic with an empty secret", {}, raw("shop-cli:")],
  ])("CA-07: a public client is identified by %s", async (_, parameters, headers) => {
    expect(await ask(parameters, headers)).toMatchObject({ status: 400, body: { error: "unauthorized_client" } });
  });
});

describe("two live secrets, CA-10", () => {
  const secret = (id: string, clear: string, change: Partial<ClientSecret> = {}): ClientSecret => ({
    id,
    hash: storageHash(clear),
    createdAt: NOON - 100,
    expiresAt: null,
    revokedAt: null,
    ...change,
  });
  const secrets = [
    secret("first", "one"),
    secret("second", "two", { expiresAt: NOON + 1 }),
    secret("expired", "three", { expiresAt: NOON }),
    secret("retired", "four", { revokedAt: NOON - 7 }),
  ];

  test.each([
    ["one", "first"],
    ["two", "second"],
  ])("CA-10: the secret %s authenticates, and its use is recorded", async (clear, id) => {
    const answer = await ask({}, basic("shop-worker", clear), { secrets });
    expect(answer.status).toBe(200);
    expect(answer.touched).toEqual(new Map([[id, NOON]]));
  });

  test.each([
    ["three", "secret_expired", { secretId: "expired", expiredBySeconds: 0 }],
    ["four", "secret_retired", { secretId: "retired", retiredSecondsAgo: 7 }],
    ["five", "secret_wrong", {}],
  ])("D13: the secret %s does not, and only the ledger says why", async (clear, cause, detail) => {
    const answer = await ask({}, basic("shop-worker", clear), { secrets });
    expect(answer).toMatchObject({ status: 401, entry: { cause, detail } });
    expect(answer.touched.size).toBe(0);
  });
});

test.each([
  ["secret_of_other_environment", "development"],
  ["secret_of_other_client", "production"],
] as const)("D11 D13: only the ledger says %s", async (cause, environment) => {
  const s = scene();
  s.changeClient("shop-web", { applicationId: "shop", environment });
  s.changeClient("shop-worker", { applicationId: "shop" });
  const answer = await post(s, token, { grant_type: "client_credentials" }, basic("shop-worker", WEB_SECRET));
  expect(answer).toMatchObject({
    status: 401,
    body: { error: "invalid_client", error_description: "Client authentication failed." },
  });
  expect(s.tables.refusals[0]).toMatchObject({
    cause,
    detail: { environment: "production", secretEnvironment: environment },
  });
});

describe("guesses, TK-13", () => {
  /** Allows three failures a minute. */
  function throttled() {
    const s = scene();
    const failures = new Map<string, number>();
    const fail = async (key: string) => {
      failures.set(key, (failures.get(key) ?? 0) + 1);
      return (failures.get(key) ?? 0) >= 3 ? 60 : 0;
    };
    const deps = { ...s.deps, throttle: createThrottle({ fail }, s.deps.now) };
    const ask = async (secret: string, change: { clientId?: string; address?: string | null } = {}) => {
      const { clientId = "shop-worker", address = "192.0.2.7" } = change;
      return read(
        await token(formRequest({ grant_type: "client_credentials" }, basic(clientId, secret)), deps, { address }),
      );
    };
    return { s, ask, failures };
  }

  test("TK-13: after too many wrong secrets even the right one is rejected for a while", async () => {
    const { s, ask } = throttled();
    for (let guess = 0; guess < 3; guess++) expect((await ask("guess")).status).toBe(401);
    const answer = await ask(SERVICE_SECRET);
    expect(answer).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(s.tables.refusals.at(-1)?.cause).toBe("rate_limited");
    s.clock.now += 60;
    expect((await ask(SERVICE_SECRET)).status).toBe(200);
  });

  test.each<[string, { clientId?: string; address?: string | null }]>([
    ["another address", { address: "192.0.2.8" }],
    ["another client", { clientId: "shop-api" }],
    ["another /64", { address: "2001:db8:1:3::7" }],
    ["an address that is not known", { address: null }],
  ])("TK-13: %s is not affected", async (_, change) => {
    const { ask } = throttled();
    for (let guess = 0; guess < 4; guess++) await ask("guess");
    expect((await ask(SERVICE_SECRET, change)).status).toBe(200);
  });

  test.each([
    ["addresses of one /64", "2001:db8:1:2::7", "2001:db8:1:2:ffff::8"],
    ["unknown addresses", null, null],
  ])("TK-13 SE-07: guesses from %s count together", async (_, one, other) => {
    const { ask } = throttled();
    for (const address of [one, other, one]) expect((await ask("guess", { address })).status).toBe(401);
    expect((await ask(SERVICE_SECRET, { address: other })).status).toBe(429);
  });

  test("TK-13: guesses for unknown clients share one count, so they add no rows", async () => {
    const { ask, failures } = throttled();
    const answers: number[] = [];
    for (let at = 0; at < 5; at++) answers.push((await ask("guess", { clientId: `invented-${at}` })).status);
    expect(answers).toEqual([401, 401, 401, 429, 429]);
    expect(failures.size).toBe(1);
  });

  test("interop 23: successes never count", async () => {
    const { ask } = throttled();
    for (let turn = 0; turn < 20; turn++) expect((await ask(SERVICE_SECRET)).status).toBe(200);
  });
});

describe("the same authentication at every endpoint, CA-06", () => {
  test.each([
    ["/token", token, { grant_type: "refresh_token", refresh_token: "x" }],
    ["/revoke", revoke, { token: "x" }],
    ["/introspect", introspect, { token: "x" }],
    ["/device_authorization", deviceAuthorization, {}],
  ])(
    "CA-06 RV-02 IN-01 DF-01: %s rejects a confidential client that sends only its client_id",
    async (_, endpoint, parameters) => {
      const s = scene();
      for (const client of [{ client_id: "shop-web" }, { client_id: "nobody" }, {}]) {
        const answer = await post(s, endpoint, { ...parameters, ...client });
        expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
        expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
      }
    },
  );
});
