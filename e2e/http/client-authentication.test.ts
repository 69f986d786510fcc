import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { basic, obtainCode, obtainTokens, postAs, signIn } from "../harness/flow.ts";
import { type Answer, type Fields, json, postForm } from "../harness/http.ts";
import { expectJsonError } from "./expectations.ts";

const issuer = inject("issuer");
const { web, otherWeb, strictWeb, awkwardSecret, browser, service, disabled } = CLIENTS;

let gil: Agent;
beforeAll(async () => {
  gil = await signIn(issuer, "client");
});

const rawBasic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
const probe = (fields: Fields, headers: Record<string, string> = {}) =>
  postForm(issuer, "/token", { grant_type: "refresh_token", refresh_token: "none-such", ...fields }, headers);
/** Authentication succeeded if the error comes from the next check. */
const expectAuthenticated = (answer: Answer) => expectJsonError(answer, 400, "invalid_grant");

describe("client authentication", () => {
  test("CA-01 a secret is accepted by Basic and in the body", async () => {
    expectAuthenticated(await probe({}, basic(web.client_id, web.client_secret)));
    expectAuthenticated(await probe({ client_id: web.client_id, client_secret: web.client_secret }));
  });

  test.each<[string, string]>([
    [
      "form-urlencoded",
      `awkward-secret:${new URLSearchParams({ s: awkwardSecret.client_secret }).toString().slice(2)}`,
    ],
    ["escaped as a URI component", `awkward-secret:${encodeURIComponent(awkwardSecret.client_secret)}`],
    ["not encoded at all (interop-6)", `${web.client_id}:${web.client_secret}`],
  ])("CA-02 CA-03 Basic %s", async (_, credentials) => {
    expectAuthenticated(await probe({}, rawBasic(credentials)));
  });

  test("CA-02 the scheme's name is case-insensitive", async () => {
    const { authorization } = basic(web.client_id, web.client_secret);
    expectAuthenticated(await probe({}, { authorization: authorization.replace("Basic", "bAsIc") }));
  });

  test.each<[string, Record<string, string>]>([
    ["no colon", rawBasic("web")],
    ["broken base64", { authorization: "Basic ***" }],
    ["a broken escape", rawBasic("web:%zz")],
    ["nothing", { authorization: "Basic" }],
    ["another scheme", { authorization: "Digest x" }],
  ])("CA-02 %s in Authorization", async (_, headers) => {
    const answer = await probe({}, headers);
    expect([400, 401]).toContain(answer.status);
    expect(["invalid_client", "invalid_request"]).toContain(json(answer)["error"]);
  });

  test("N23 CA-05 a wrong secret in the header, in the body and an unknown client look the same", async () => {
    const refused = [
      await probe({}, basic("web", "wrong")),
      await probe({ client_id: "web", client_secret: "wrong" }),
      await probe({}, basic("nobody", "wrong")),
      await probe({ client_id: "nobody", client_secret: "wrong" }),
    ];
    for (const answer of refused) {
      expectJsonError(answer, 401, "invalid_client");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
      expect(answer.headers.get("gatehouse-error-id")).toMatch(/\S{6,}/);
    }
    expect(new Set(refused.map((answer) => answer.text)).size).toBe(1);
  });

  test("CA-05 a disabled client is rejected", async () => {
    expect((await probe({}, basic(disabled.client_id, disabled.client_secret))).status).toBe(401);
  });

  test("N24 CA-04 two authentication methods at once are rejected", async () => {
    const both = { client_id: web.client_id, client_secret: web.client_secret };
    expectJsonError(await probe(both, basic(web.client_id, web.client_secret)), 400, "invalid_request");
  });

  test("CA-04 interop-5 a client_id in the body must match Basic", async () => {
    expectAuthenticated(await probe({ client_id: "web" }, basic(web.client_id, web.client_secret)));
    expectJsonError(
      await probe({ client_id: "other-web" }, basic(web.client_id, web.client_secret)),
      401,
      "invalid_client",
    );
  });

  test.each(["/token", "/revoke", "/introspect"])(
    "N25 CA-06 CA-08 client_id alone is not enough for a confidential client at %s",
    async (path) => {
      const { access } = await obtainTokens(gil, web);
      const fields = { client_id: "web", token: access, grant_type: "refresh_token", refresh_token: "x" };
      expectJsonError(await postForm(issuer, path, fields), 401, "invalid_client");
    },
  );

  test("N25 client_id alone is not enough to redeem a code", async () => {
    const { code, verifier } = await obtainCode(gil, web);
    const fields = { grant_type: "authorization_code", code, code_verifier: verifier, client_id: "web" };
    expectJsonError(await postForm(issuer, "/token", fields), 401, "invalid_client");
  });

  test("CA-07 a public client identifies itself by client_id, and must not send a secret", async () => {
    expectAuthenticated(await postAs(issuer, "/token", browser, { grant_type: "refresh_token", refresh_token: "x" }));
    const withSecret = await probe({ client_id: "browser", client_secret: "made-up" });
    expect([400, 401]).toContain(withSecret.status);
    expect(json(withSecret)["error"]).toBe("invalid_client");
    const nameless = await probe({});
    expect([400, 401]).toContain(nameless.status);
  });

  test("interop-4 an empty secret of a public client is ignored", async () => {
    expectAuthenticated(await probe({ client_id: "browser", client_secret: "" }));
  });

  test("CA-05 an empty secret of a confidential client is rejected", async () => {
    expectJsonError(await probe({ client_id: "web", client_secret: "" }), 401, "invalid_client");
    expectJsonError(await probe({}, rawBasic("web:")), 401, "invalid_client");
  });

  test("CA-01 a secret works for its own client only", async () => {
    expectJsonError(await probe({}, basic(web.client_id, otherWeb.client_secret)), 401, "invalid_client");
  });
});

describe("guessing a secret", () => {
  test("TK-13 is limited for one client from one address, and for nobody else", async () => {
    const guess = (client_secret: string) => probe({}, basic(strictWeb.client_id, client_secret));
    let last = await guess("guess");
    for (let tries = 1; tries < 200 && last.status !== 429; tries++) last = await guess(`guess-${tries}`);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await guess(strictWeb.client_secret)).status).toBe(429);
    expectAuthenticated(await probe({}, basic(otherWeb.client_id, otherWeb.client_secret)));
    const elsewhere = { ...basic(strictWeb.client_id, strictWeb.client_secret), "x-forwarded-for": "192.0.2.1" };
    expectAuthenticated(await probe({}, elsewhere));
  });
});

describe("client_credentials grant", () => {
  const ask = (fields: Fields = {}) =>
    postAs(issuer, "/token", service, { grant_type: "client_credentials", ...fields });

  test("CC-02 CC-03 a service client gets an access token without a refresh token", async () => {
    const body = json(await ask());
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 600, scope: "api:read api:write" });
    expect(body).not.toHaveProperty("refresh_token");
    expect(json(await ask({ scope: "api:read" }))["scope"]).toBe("api:read");
  });

  test("N35 CC-01 public clients are rejected", async () => {
    const answer = await postAs(issuer, "/token", browser, { grant_type: "client_credentials" });
    expectJsonError(answer, 400, "unauthorized_client");
  });

  test.each(["openid", "offline_access", "console:read", "admin:all", 'a"b'])("N35 CC-02 scope %s", async (scope) => {
    expectJsonError(await ask({ scope }), 400, "invalid_scope");
  });

  test("PK-07 a stray verifier is ignored", async () => {
    expect((await ask({ code_verifier: "v" })).status).toBe(200);
  });

  test("RI-02 an unknown resource", async () => {
    expectJsonError(await ask({ resource: "https://other.example" }), 400, "invalid_target");
  });
});
