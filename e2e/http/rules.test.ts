import { storageHash } from "@gatehouse/auth";
import { openDatabase } from "@gatehouse/db/database";
import { eq } from "drizzle-orm";
import { decodeJwt, exportSPKI, jwtVerify, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, MAIL } from "../harness/fixture.ts";
import {
  authorizePath,
  callApi,
  callback,
  obtainCode,
  obtainTokens,
  postAs,
  redeem,
  refresh,
  refusal,
  serviceToken,
  signIn,
  tokensOf,
} from "../harness/flow.ts";
import { json, postForm, send, textOf } from "../harness/http.ts";
import { publishedKeys } from "../harness/openid.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { expectErrorPage, expectErrorRedirect, expectJsonError } from "./expectations.ts";

// Rules that the other files do not cover.

const issuer = inject("issuer");
const { web, localWeb, browser, native, service, shopper } = CLIENTS;
const REDIRECT = web.redirect_uris[0];
let ruth: Agent;
let database: Awaited<ReturnType<typeof openDatabase>>;

beforeAll(async () => {
  ruth = await signIn(issuer, "rules");
  database = await openDatabase(inject("env")["DATABASE_URL"] ?? "");
});
afterAll(() => database?.close());

describe("the authorization request", () => {
  test("AZ-09 errors redirect to the client once its redirect URI is proven, and show our page before that", async () => {
    const wrong = { response_type: "token", scope: "nonsense", code_challenge_method: "plain" };
    expectErrorRedirect(
      await ruth.open(authorizePath(web, { ...wrong, state: "a b&c" })),
      "unsupported_response_type",
      {
        to: REDIRECT,
        iss: issuer,
        state: "a b&c",
      },
    );
    expectErrorPage(await ruth.open(authorizePath(web, { ...wrong, redirect_uri: `${REDIRECT}x` })));
    expectErrorPage(await ruth.open(authorizePath({ client_id: "nobody", redirect_uris: [REDIRECT] }, wrong)));
  });

  test("AZ-37 a repeated challenge or nonce is accepted", async () => {
    const first = await obtainCode(ruth, web, { nonce: "again" });
    const { verifier } = first;
    const challenge = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(verifier))).toString("base64url");
    const second = await obtainCode(ruth, web, { nonce: "again", code_challenge: challenge });
    for (const obtained of [first, { ...second, verifier }])
      expect((await redeem(issuer, web, obtained)).status).toBe(200);
  });

  test.each([
    ["upper case in the host", REDIRECT.replace("app.", "APP.")],
    ["an escape that means the same", REDIRECT.replace("/cb", "/%63b")],
    ["the default port", REDIRECT.replace("/cb", ":443/cb")],
    ["a dot segment", REDIRECT.replace("/cb", "/./cb")],
  ])("RU-01 redirect URIs are compared code point by code point: %s does not match", async (_, redirect_uri) => {
    expectErrorPage(await ruth.open(authorizePath(web, { redirect_uri })));
  });

  test("RU-08 a redirect URI works only for the client of its environment", async () => {
    expectErrorPage(await ruth.open(authorizePath(web, { redirect_uri: localWeb.redirect_uris[0] })));
    expectErrorPage(await ruth.open(authorizePath(localWeb, { redirect_uri: REDIRECT })));
  });

  test("OI-07 the parameters claims and registration have no effect", async () => {
    const claims = JSON.stringify({ id_token: { phone_number: { essential: true } } });
    const page = await ruth.open(authorizePath(web, { claims, registration: '{"client_name":"Other"}' }));
    expect(page.status === 200 || callback(page).params.has("code")).toBe(true);
    expect(page.text).not.toContain("Other");
  });

  test("AC-09 BB-01 SE-21 no redirect or page contains a token; a code appears only in the query of the redirect", async () => {
    const page = await ruth.open(authorizePath(browser));
    const answer = page.status === 200 ? await ruth.submit(page, { button: "Allow" }) : page;
    const location = answer.headers.get("location") ?? "";
    expect([...new URL(location).searchParams.keys()].toSorted()).toEqual(["code", "iss", "state"]);
    expect(location).not.toContain("#");
    for (const text of [page.text, answer.text, location])
      expect(text).not.toMatch(/(?<![\w-])g(?:at|rt|se|cs)_[\w-]{20}/);
  });

  test("SE-17 the issuer is the same in every response and document", async () => {
    const documents = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
    for (const path of documents) expect(json(await send(issuer, path))["issuer"]).toBe(issuer);
    expect(callback(await ruth.open(authorizePath(web, { scope: "nonsense" }))).params.get("iss")).toBe(issuer);
    expect(callback(await ruth.open(authorizePath(web, { prompt: "none" }))).params.getAll("iss")).toEqual([issuer]);
  });

  test("NX-01 every redirect is 303", async () => {
    expect((await ruth.request(authorizePath(web, { scope: "nonsense" }))).status).toBe(303);
    expect((await newAgent(issuer).request("/account")).status).toBe(303);
    expect((await newAgent(issuer).request(authorizePath(web))).status).toBe(303);
  });
});

describe("registering redirect URIs", () => {
  test.each([
    ["more than 100", Array.from({ length: 101 }, (_, at) => `https://app.example/${at}`)],
    ["one of more than 2048 characters", [`https://app.example/${"x".repeat(2048)}`]],
  ])("RU-12 %s are rejected with the field and the reason", async (_, redirectUris) => {
    const admin = await consoleToken(issuer, "admin");
    const application = await mutate(issuer, "applications.create", { name: `Limits ${redirectUris.length}` }, admin);
    const applicationId = json(application)["result"] as { data: { id: string } };
    const draft = {
      applicationId: applicationId.data.id,
      environment: "production",
      type: "web",
      redirectUris,
      scopes: ["api:read"],
    };
    const answer = await mutate(issuer, "clients.register", { ...draft, grantTypes: ["authorization_code"] }, admin);
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/redirectUris/);
  });

  test("RU-12 a hundred redirect URIs can be registered, and the last one works", async () => {
    const admin = await consoleToken(issuer, "admin");
    const application = dataOf<{ id: string }>(
      await mutate(issuer, "applications.create", { name: "Hundred addresses" }, admin),
    );
    const redirectUris = Array.from({ length: 100 }, (_, at) => `https://app.example/${at}`);
    const draft = {
      applicationId: application.id,
      environment: "production",
      type: "web",
      redirectUris,
      scopes: ["api:read"],
    };
    const answer = await mutate(issuer, "clients.register", { ...draft, grantTypes: ["authorization_code"] }, admin);
    const { client } = dataOf<{ client: { clientId: string } }>(answer);
    const page = await ruth.open(
      authorizePath({ client_id: client.clientId, redirect_uris: ["https://app.example/99"] }),
    );
    expect([page.status, page.text.includes("Hundred addresses")]).toEqual([200, true]);
  });
});

describe("the token endpoint", () => {
  test("TK-06 TK-07 an unknown grant type is reported before client authentication, and names are case-sensitive", async () => {
    for (const grant_type of ["password", "Authorization_Code", "client_credentials ", "device_code"]) {
      expectJsonError(await postForm(issuer, "/token", { grant_type }), 400, "unsupported_grant_type");
      expectJsonError(
        await postAs(issuer, "/token", { ...service, client_secret: "wrong" }, { grant_type }),
        400,
        "unsupported_grant_type",
      );
    }
  });

  test("TK-12 pages of other origins can call it", async () => {
    const origin = "https://spa.example";
    const preflight = await send(issuer, "/token", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    const refused = await postForm(
      issuer,
      "/token",
      { grant_type: "refresh_token", client_id: browser.client_id },
      { origin },
    );
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([400, "*"]);
    expect(refused.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("TK-15 a response is a success or an error, never both", async () => {
    const good = json(await postAs(issuer, "/token", service, { grant_type: "client_credentials" }));
    const bad = json(await postAs(issuer, "/token", service, { grant_type: "client_credentials", scope: "nonsense" }));
    expect(["error" in good, "access_token" in good]).toEqual([false, true]);
    expect(["error" in bad, "access_token" in bad]).toEqual([true, false]);
  });

  test("CF-07 a client secret is accepted by Basic or by post, never by both at once", async () => {
    const grant = { grant_type: "client_credentials" };
    const posted = { ...grant, client_id: service.client_id, client_secret: service.client_secret };
    expect((await postAs(issuer, "/token", service, grant)).status).toBe(200);
    expect((await postForm(issuer, "/token", posted)).status).toBe(200);
    expect(refusal(await postAs(issuer, "/token", service, posted))).toEqual([400, "invalid_request"]);
  });

  test("NX-02 405 lists the allowed methods, on every client endpoint", async () => {
    for (const path of [
      "/token",
      "/revoke",
      "/introspect",
      "/par",
      "/device_authorization",
      "/userinfo",
      "/.well-known/jwks.json",
    ]) {
      const answer = await send(issuer, path, { method: "PATCH" });
      expect([path, answer.status]).toEqual([path, 405]);
      expect(answer.headers.get("allow")).toMatch(/POST|GET/);
    }
  });
});

describe("codes and tokens", () => {
  const table = () => database.db.tables.authorizationCodes;

  test("AC-03 AC-07 N29 a code is stored as a hash and expires after 60 seconds", async () => {
    const obtained = await obtainCode(ruth, web);
    expect(obtained.code).toMatch(/^gac_[\w-]{43,}$/);
    const { db } = database;
    const mine = eq(table().hash, storageHash(obtained.code));
    const [row] = await db.select().from(table()).where(mine);
    expect((row?.expiresAt ?? 0) - (row?.createdAt ?? 0)).toBe(60);
    expect(JSON.stringify(row)).not.toContain(obtained.code);
    const past = Math.floor(Date.now() / 1000) - 1;
    await db.update(table()).set({ expiresAt: past }).where(mine);
    expectJsonError(await redeem(issuer, web, obtained), 400, "invalid_grant");
  });

  test("PK-04 a code without a challenge is rejected, with and without a verifier", async () => {
    const obtained = await obtainCode(ruth, web);
    const mine = eq(table().hash, storageHash(obtained.code));
    await database.db.update(table()).set({ codeChallenge: "" }).where(mine);
    for (const change of [{}, { code_verifier: undefined }])
      expect((await redeem(issuer, web, obtained, change)).status).toBe(400);
  });

  test("RT-07 BB-06 a refresh extends the idle expiry, never the absolute one, which is a day for a single-page app", async () => {
    const stored = async (token: string) => {
      const families = database.db.tables.refreshFamilies;
      const [id] = /(?<=^grt_).{25}/.exec(token) ?? [];
      const [family] = await database.db
        .select()
        .from(families)
        .where(eq(families.id, id ?? ""));
      return family;
    };
    const first = await obtainTokens(ruth, browser);
    const granted = await stored(first.refresh);
    const renewed = tokensOf(await refresh(issuer, browser, first.refresh));
    expect(renewed.refresh).not.toBe(first.refresh);
    const successor = await stored(renewed.refresh);
    expect([granted?.generation, successor?.generation]).toEqual([0, 1]);
    expect(successor?.absoluteExpiresAt).toBe(granted?.absoluteExpiresAt);
    expect((granted?.absoluteExpiresAt ?? 0) - (granted?.createdAt ?? 0)).toBeLessThanOrEqual(86_400);
  });

  test("BR-11 personal responses are not cacheable and have a Date", async () => {
    for (const token of [await serviceToken(issuer), "gat_nothing"]) {
      const { headers } = await callApi(issuer, token);
      expect(headers.get("cache-control")).toMatch(/no-store|private/);
      expect(headers.get("vary")?.toLowerCase()).toContain("authorization");
      expect(Date.parse(headers.get("date") ?? "")).toBeGreaterThan(0);
    }
  });

  test("JT-02 our JWT is accepted only unaltered: not unsigned, not signed with our public key, not an ID token", async () => {
    const { access } = await obtainTokens(ruth, shopper, { scope: "mail:send", resource: MAIL.id });
    const userinfo = (token: string) => send(issuer, "/userinfo", { headers: { authorization: `Bearer ${token}` } });
    const [header = "", payload = "", signature = ""] = access.split(".");
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const published = publishedKeys(`${issuer}/.well-known/jwks.json`);
    const { key } = await jwtVerify(access, published, { typ: "at+jwt" });
    const secret = Buffer.from(await exportSPKI(key as Parameters<typeof exportSPKI>[0]));
    const idToken = textOf(await redeem(issuer, web, await obtainCode(ruth, web, { scope: "openid" })), "id_token");
    const forged = [
      `${part({ alg: "none", typ: "at+jwt" })}.${payload}.`,
      `${header}.${part({ ...decodeJwt(access), scope: "mail:send api:write" })}.${signature}`,
      await new SignJWT({ ...decodeJwt(access) }).setProtectedHeader({ alg: "HS256", typ: "at+jwt" }).sign(secret),
      idToken,
    ];
    for (const token of forged) {
      expect((await callApi(issuer, token)).status).toBe(401);
      expect((await userinfo(token)).status).toBe(401);
      expect(json(await postAs(issuer, "/introspect", CLIENTS.resourceServer, { token }))).toEqual({ active: false });
    }
    expect(json(await postAs(issuer, "/introspect", shopper, { token: access }))["active"]).toBe(true);
  });
});

describe("metadata and native clients", () => {
  test("DF-13 MC-11 the metadata lists the device endpoint and grant, and offline_access for the server but not for the resource", async () => {
    const server = json(await send(issuer, "/.well-known/oauth-authorization-server"));
    expect(server["device_authorization_endpoint"]).toBe(`${issuer}/device_authorization`);
    expect(server["grant_types_supported"]).toContain("urn:ietf:params:oauth:grant-type:device_code");
    expect(server["scopes_supported"]).toContain("offline_access");
    const resource = json(await send(issuer, "/.well-known/oauth-protected-resource/api"));
    expect(resource["scopes_supported"]).not.toContain("offline_access");
    expect((await send(issuer, "/api/resource")).headers.get("www-authenticate")).not.toContain("offline_access");
  });

  test("RU-08 RU-01 only the port of a native client's loopback redirect URI may vary", async () => {
    const base = native.redirect_uris[0].replace("127.0.0.1", "127.0.0.1:5999");
    const page = await ruth.open(authorizePath(native, { redirect_uri: base }));
    expect(page.status).not.toBe(400);
    expectErrorPage(await ruth.open(authorizePath(native, { redirect_uri: `${base}/other` })));
  });
});
