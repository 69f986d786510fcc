import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page, readable } from "../harness/agent.ts";
import { fixture } from "../harness/fixture.ts";
import {
  authorizePath,
  callback,
  newProof,
  obtainCode,
  obtainTokens,
  postAs,
  redeem,
  refusal,
  signIn,
  tokensOf,
} from "../harness/flow.ts";
import { type Gatehouse, gatehouse, startGatehouse, startWeb } from "../harness/gatehouse.ts";
import { type Answer, json, postForm, send, textOf } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

// Two servers on a database of their own, with different registration settings. Their issuers differ, so they must not
// share a database with other tests: each would send logout notices with its own issuer.
let own: Gatehouse;
let sibling: Running;
const closed = inject("issuer");
let open = "";
let byToken = "";
let una: Agent;

beforeAll(async () => {
  own = await startGatehouse({ engine: "sqlite", fixture: fixture(), settings: { GATEHOUSE_REGISTRATION: "open" } });
  open = own.issuer;
  const port = await freePort();
  byToken = `http://localhost:${port}`;
  sibling = await startWeb({ ...own.env, GATEHOUSE_ISSUER: byToken, GATEHOUSE_REGISTRATION: "token" }, port);
  una = await signIn(open, "registration");
});
afterAll(async () => {
  await sibling?.stop();
  await own?.stop();
});

const NATIVE = {
  client_name: "Inspector",
  redirect_uris: ["http://localhost:6274/cb"],
  token_endpoint_auth_method: "none",
};
const WEB = {
  client_name: "Shop",
  redirect_uris: ["https://shop.example/cb"],
  grant_types: ["authorization_code", "refresh_token"],
};

function sendJson(
  issuer: string,
  path: string,
  body: object | undefined,
  method = "POST",
  token?: string,
): Promise<Answer> {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return send(issuer, path, { method, headers, body: body && JSON.stringify(body) });
}

const register = (body: object, issuer = open, token?: string) => sendJson(issuer, "/register", body, "POST", token);

async function registered(body: object = WEB) {
  const answer = await register(body);
  return {
    client: json(answer) as { client_id: string; client_secret?: string; redirect_uris: string[] },
    bearer: textOf(answer, "registration_access_token"),
  };
}

/** The client replaces its metadata. */
async function put(client: { client_id: string }, bearer: string, body: object): Promise<void> {
  const answer = await sendJson(
    open,
    `/register/${client.client_id}`,
    { ...body, client_id: client.client_id },
    "PUT",
    bearer,
  );
  expect(answer.status).toBe(200);
}

describe("POST /register", () => {
  test("CF-18 MD-04: closed unless configured, and then not in the metadata", async () => {
    expect(refusal(await register(WEB, closed))).toEqual([403, "access_denied"]);
    const named = async (issuer: string) =>
      json(await send(issuer, "/.well-known/oauth-authorization-server"))["registration_endpoint"];
    expect([await named(closed), await named(open), await named(byToken)]).toEqual([
      undefined,
      `${open}/register`,
      `${byToken}/register`,
    ]);
  });

  test("DC-03: defaults are the standard's; unknown members and chosen ids and secrets are ignored", async () => {
    const sent = {
      redirect_uris: WEB.redirect_uris,
      client_id: "mine",
      client_secret: "mine",
      favourite_colour: "blue",
    };
    const answer = await register(sent);
    expect(answer.status).toBe(201);
    const body = json(answer);
    expect(body).toMatchObject({
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
    });
    expect([body["client_id"] === "mine", body["client_secret"] === "mine", "favourite_colour" in body]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("DC-01 DC-06: a self-registered client works, and the consent page marks it and its name", async () => {
    const { client } = await registered();
    const page = await una.open(authorizePath(client));
    expect(readable(page)).toContain("registered itself, and we haven't verified it");
    expect(readable(page)).toContain(`Shop (${client.client_id.slice(0, 6)})`);
    const tokens = await obtainTokens(una, client, { scope: "api:read" });
    const renewed = await postAs(open, "/token", client, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh,
    });
    expect(tokensOf(renewed).access).not.toBe(tokens.access);
  });

  test("interop 9 NA-01: without application_type, as MCP clients register, any loopback port works", async () => {
    const { client } = await registered({
      ...NATIVE,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    expect(client.client_id).toMatch(/^[\w-]{22}$/);
    const tokens = await obtainTokens(
      una,
      { ...client, redirect_uris: ["http://localhost:45678/cb"] },
      { scope: "api:read offline_access" },
    );
    expect(tokens.access).toMatch(/^gat_/);
  });

  test("DC-05 AZ-15: an editor that registers for the device grant too, and sends its scope with spaces, gets in", async () => {
    const asked = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"];
    const answer = await register({
      ...NATIVE,
      grant_types: asked,
      redirect_uris: ["http://127.0.0.1/", "https://vscode.dev/redirect"],
    });
    expect([answer.status, json(answer)["grant_types"]]).toEqual([201, ["authorization_code", "refresh_token"]]);
    const client = { client_id: textOf(answer, "client_id"), redirect_uris: ["http://127.0.0.1:33418/"] };
    const tokens = await redeem(open, client, await obtainCode(una, client, { scope: " api:read  offline_access" }));
    expect(json(tokens)["scope"]).toBe("api:read offline_access");
  });

  test("CF-14 RU-05 AZ-16: an editor with a scheme of its own is asked about each time, and returned to; unknown scopes are left out", async () => {
    const uri = "cursor://anysphere.cursor-mcp/oauth/callback";
    const { client } = await registered({ ...NATIVE, redirect_uris: ["javascript:alert(1)", uri, "myapp://cb"] });
    expect(client.redirect_uris).toEqual([uri]);
    for (const time of ["first", "second"]) {
      const asked = authorizePath({ ...client, redirect_uris: [uri] }, { scope: "groups api:read", state: time });
      const page = await una.open(asked);
      expect(readable(page)).toContain("registered itself, and we haven't verified it");
      const answer = await una.submit(page, { button: "Allow" });
      expect(answer.headers.get("location")).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=gac_/);
    }
    const near = await una.open(authorizePath({ ...client, redirect_uris: [`${uri}/`] }));
    expect([near.status, near.headers.get("location")]).toEqual([400, null]);
  });

  test.each<[string, object, string]>([
    ["DC-02 no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
    [
      "DC-04 localhost for the web",
      { redirect_uris: ["http://localhost/cb"], application_type: "web" },
      "invalid_redirect_uri",
    ],
    ["CF-14 MC-05 a private scheme", { redirect_uris: ["com.example.app:/cb"] }, "invalid_redirect_uri"],
    ["DC-05 implicit", { grant_types: ["implicit"] }, "invalid_client_metadata"],
    ["CC-05 client_credentials", { grant_types: ["client_credentials"] }, "invalid_client_metadata"],
  ])("refuses %s", async (_, change, error) => {
    expect(refusal(await register({ ...WEB, ...change }))).toEqual([400, error]);
  });

  test("AZ-35 CF-12: its errors are shown on our page, where the user can continue", async () => {
    const { client } = await registered();
    const error = await una.open(authorizePath(client, { scope: "nonsense" }));
    expect([error.status, error.headers.get("location")]).toEqual([400, null]);
    expect(error.document.querySelector("a.button")?.getAttribute("href")).toMatch(
      /^https:\/\/shop\.example\/cb\?error=invalid_scope&/,
    );

    const denied = await una.submit(await una.open(authorizePath(client)), { button: "Deny" });
    expect([denied.status, denied.headers.get("location")]).toEqual([400, null]);
    expect(denied.document.querySelector("a.button")?.getAttribute("href")).toContain("error=access_denied");
  });

  test("AZ-35: logout returns to it only by a link on our page: signed out, signed in, after a question, and by POST", async () => {
    const bye = "https://shop.example/bye?from=gatehouse";
    const { client } = await registered({ ...WEB, post_logout_redirect_uris: [bye] });
    const asked = { client_id: client.client_id, post_logout_redirect_uri: bye, state: "s1" };
    const logout = (params: Record<string, string>) => `/logout?${new URLSearchParams(params)}`;
    const expectLink = (page: Page) => {
      expect([page.status, page.headers.get("location")]).toEqual([200, null]);
      expect(page.document.querySelector("a.button")?.getAttribute("href")).toBe(`${bye}&state=s1`);
      expect(readable(page)).toContain("We haven't verified");
    };

    const visitor = newAgent(open);
    expectLink(await visitor.request(logout(asked)));
    const form = {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `${new URLSearchParams(asked)}`,
    };
    const posted = await visitor.request("/logout", form);
    expectLink(await visitor.request(posted.headers.get("location") ?? ""));

    const agent = await signIn(open, "registration");
    const answer = await redeem(open, client, await obtainCode(agent, client, { scope: "openid" }));
    const id_token_hint = textOf(answer, "id_token");
    expectLink(await visitor.request(logout({ ...asked, id_token_hint })));
    expectLink(await agent.request(logout({ ...asked, id_token_hint })));
    expect((await agent.request("/account")).status).toBe(303);

    const again = await signIn(open, "registration");
    const question = await again.open(logout(asked));
    expectLink(await again.post(question, { button: "Sign out" }));
    expect((await again.request("/account")).status).toBe(303);
  });
});

describe("with an initial access token", () => {
  test("DC-02 DC-06: created by an admin or the command line, spent by use, revoked at once", async () => {
    const none = await register(WEB, byToken);
    expect([...refusal(none), none.headers.get("www-authenticate")?.startsWith("Bearer ")]).toEqual([
      401,
      "invalid_token",
      true,
    ]);

    const admin = await consoleToken(open, "admin");
    const developer = await consoleToken(open, "developer");
    expect((await mutate(open, "registrationTokens.create", { name: "CI" }, developer)).status).toBe(403);
    const made = dataOf<{ token: string; view: { id: string } }>(
      await mutate(open, "registrationTokens.create", { name: "CI", uses: 2 }, admin),
    );
    expect((await register({ ...WEB, redirect_uris: [] }, byToken, made.token)).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 6 }, () => register(WEB, byToken, made.token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 401, 401, 401, 401]);

    const args = ["registration-token", "create", "--name", "typed", "--uses", "5"];
    const typed = (await gatehouse(args, own.env)) as { token: string; id: string };
    expect((await register(NATIVE, byToken, typed.token)).status).toBe(201);
    const listed = dataOf<{ id: string; name: string; remaining: number }[]>(
      await query(open, "registrationTokens.list", undefined, admin),
    );
    expect(listed.find(({ name }) => name === "typed")).toMatchObject({ remaining: 4 });
    await mutate(open, "registrationTokens.revoke", { id: typed.id }, admin);
    expect((await register(NATIVE, byToken, typed.token)).status).toBe(401);
  });
});

describe("/register/<client_id>", () => {
  test("DC-07: read, replaced and deleted with its own token only; deletion ends its tokens", async () => {
    const { client, bearer } = await registered();
    const other = await registered(NATIVE);
    const path = `/register/${client.client_id}`;
    expect(json(await sendJson(open, path, undefined, "GET", bearer))).toMatchObject({
      client_id: client.client_id,
      client_name: "Shop",
    });
    for (const token of [undefined, "grg_guess", other.bearer]) {
      expect(refusal(await sendJson(open, path, undefined, "GET", token))).toEqual([401, "invalid_token"]);
      expect(refusal(await sendJson(open, path, undefined, "DELETE", token))).toEqual([401, "invalid_token"]);
    }
    const changed = { ...WEB, client_id: client.client_id, redirect_uris: ["https://shop.example/new"] };
    expect(json(await sendJson(open, path, changed, "PUT", bearer))).toMatchObject({
      redirect_uris: ["https://shop.example/new"],
    });
    expect((await una.open(authorizePath(client))).status).toBe(400);
    expect(refusal(await sendJson(open, path, { ...changed, client_id: "web" }, "PUT", bearer))).toEqual([
      400,
      "invalid_client_metadata",
    ]);

    const acting = { ...client, redirect_uris: changed.redirect_uris };
    const tokens = await obtainTokens(una, acting, { scope: "api:read" });
    expect((await sendJson(open, path, undefined, "DELETE", bearer)).status).toBe(204);
    const api = await send(open, "/api/resource", { headers: { authorization: `Bearer ${tokens.access}` } });
    expect(api.status).toBe(401);
    expect(
      refusal(await postAs(open, "/token", acting, { grant_type: "refresh_token", refresh_token: tokens.refresh })),
    ).toEqual([401, "invalid_client"]);
    expect((await una.open(authorizePath(acting))).status).toBe(400);
  });

  test.each(["by the query", "by a pushed request"])(
    "AZ-31 AZ-33 DC-07: a client that widens itself while the consent page is open gets what the page showed: %s",
    async (how) => {
      const narrow = { ...WEB, scope: "openid" };
      const { client, bearer } = await registered(narrow);
      const { verifier, challenge } = newProof();
      const path = authorizePath(client, {
        scope: how === "by the query" ? undefined : "openid offline_access",
        code_challenge: challenge,
      });
      const params = new URLSearchParams(path.split("?")[1]);
      const pushed =
        how === "by the query" ? undefined : await postAs(open, "/par", client, Object.fromEntries(params));
      const reference = pushed && { client_id: client.client_id, request_uri: textOf(pushed, "request_uri") };
      await put(client, bearer, narrow);
      const page = await una.open(reference ? `/authorize?${new URLSearchParams(reference)}` : path);
      expect(readable(page)).not.toContain("your data");

      await put(client, bearer, WEB); // every scope there is
      const renamed = { ...WEB, client_name: "Payroll (official)" };
      await put(client, bearer, renamed);
      const again = await una.submit(page, { button: "Allow" });
      expect(readable(again)).toContain("Payroll (official)");
      expect(readable(again)).not.toContain("your data");
      const back = callback(await una.post(again, { button: "Allow" }));
      const obtained = { code: back.params.get("code") ?? "", verifier, redirectUri: WEB.redirect_uris[0] ?? "" };
      const answer = await redeem(open, client, obtained);
      expect([answer.status, json(answer)["scope"] ?? ""]).toEqual([200, how === "by the query" ? "" : "openid"]);
      // OI-06: with openid, only offline_access brings a refresh token, and that was left out of the pushed request.
      if (how !== "by the query") expect(json(answer)).not.toHaveProperty("refresh_token");
    },
  );

  test("DC-06 DC-08 CI-10: one registration cannot make any number of requests by changing where its keys are", async () => {
    let fetched = 0;
    const keys = createServer((_, response) => {
      fetched += 1;
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(keys, "listening");
    const at = (turn: number) => `http://127.0.0.1:${(keys.address() as AddressInfo).port}/${turn}`;
    const draft = { ...WEB, token_endpoint_auth_method: "private_key_jwt" };
    const { client, bearer } = await registered({ ...draft, jwks_uri: at(0) });
    const { client_id } = client;
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const claims = { iss: client_id, sub: client_id, aud: open, exp: Math.floor(Date.now() / 1000) + 60 };

    const changes: number[] = [];
    for (let turn = 1; turn <= 22; turn++) {
      const put = { ...draft, client_id, jwks_uri: at(turn) };
      changes.push((await sendJson(open, `/register/${client_id}`, put, "PUT", bearer)).status);
      const client_assertion = `${encoded({ alg: "ES256" })}.${encoded({ ...claims, jti: `${turn}` })}.${"A".repeat(86)}`;
      const sent = {
        client_id,
        client_assertion,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      };
      expect(
        (await postForm(open, "/token", { ...sent, grant_type: "refresh_token", refresh_token: "none" })).status,
      ).toBe(401);
    }
    keys.close();
    expect(changes.slice(-3)).toEqual([200, 429, 429]);
    expect(fetched).toBe(20);
  });

  test("DC-07: deletion during requests in flight leaves no live token", async () => {
    const { client, bearer } = await registered();
    const { refresh } = await obtainTokens(una, client, { scope: "api:read" });
    const path = `/register/${client.client_id}`;
    const [gone, ...renewed] = await Promise.all([
      sendJson(open, path, undefined, "DELETE", bearer),
      ...Array.from({ length: 10 }, () =>
        postAs(open, "/token", client, { grant_type: "refresh_token", refresh_token: refresh }),
      ),
    ]);
    expect(gone?.status).toBe(204);
    for (const answer of renewed.filter(({ status }) => status === 200)) {
      const api = await send(open, "/api/resource", {
        headers: { authorization: `Bearer ${tokensOf(answer).access}` },
      });
      expect(api.status).toBe(401);
    }
  });
});

describe("blocked clients", () => {
  test("CI-10 DC-06: a client blocked by software_id is disabled, cannot change itself and cannot register again, until the block is lifted", async () => {
    const admin = await consoleToken(open, "admin");
    const developer = await consoleToken(open, "developer");
    const body = { ...WEB, software_id: "spam-bot" };
    const { client, bearer } = await registered(body);
    const tokens = await obtainTokens(una, client, { scope: "api:read" });
    const opens = async () =>
      (await send(open, "/api/resource", { headers: { authorization: `Bearer ${tokens.access}` } })).status;
    const key = { kind: "software_id", value: "spam-bot" };

    expect((await mutate(open, "clientBlocks.block", key, developer)).status).toBe(403);
    expect((await query(open, "clientBlocks.list", undefined)).status).toBe(401);
    expect((await mutate(open, "clientBlocks.block", { ...key, kind: "colour" }, admin)).status).toBe(400);
    const done = await mutate(open, "clientBlocks.block", { ...key, reason: "spam" }, admin);
    expect(dataOf<{ disabled: number }>(done).disabled).toBe(1);

    expect(await opens()).toBe(401);
    expect(refusal(await register(body))).toEqual([403, "access_denied"]);
    expect((await register(WEB)).status).toBe(201);
    const path = `/register/${client.client_id}`;
    const put = { ...body, client_id: client.client_id, client_secret: client.client_secret, software_id: "other" };
    for (const [method, sent] of [
      ["GET", undefined],
      ["PUT", put],
      ["DELETE", undefined],
    ] as const) {
      expect(refusal(await sendJson(open, path, sent, method, bearer))).toEqual([403, "access_denied"]);
    }
    expect((await una.open(authorizePath(client))).status).toBe(400);

    expect(dataOf(await query(open, "clientBlocks.list", undefined, admin))).toMatchObject([
      { ...key, reason: "spam" },
    ]);
    await mutate(open, "clientBlocks.unblock", key, admin);
    expect((await sendJson(open, path, undefined, "GET", bearer)).status).toBe(200);
    expect(await opens()).toBe(200);
    expect((await register(body)).status).toBe(201);
  });

  test("CI-10: a metadata document client that is disabled in the console stays blocked, and so does a host blocked on the command line", async () => {
    const host = createServer((request, response) => {
      const client_id = `http://${request.headers.host}${request.url}`;
      const document = { client_id, client_name: "Reader", redirect_uris: ["https://reader.example/cb"] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    }).listen(0, "127.0.0.1");
    await once(host, "listening");
    const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const clientAt = (path: string) => ({ client_id: origin + path, redirect_uris: ["https://reader.example/cb"] });
    const status = async (path: string) => (await una.open(authorizePath(clientAt(path)))).status;
    try {
      const admin = await consoleToken(open, "admin");
      expect([await status("/one"), await status("/two")]).toEqual([200, 200]);
      await mutate(open, "clients.setEnabled", { clientId: `${origin}/one`, enabled: false }, admin);
      expect([await status("/one"), await status("/two")]).toEqual([400, 200]);
      await mutate(open, "clients.remove", { clientId: `${origin}/one` }, admin);
      expect([await status("/one"), await status("/two")]).toEqual([400, 200]);

      const args = ["client", "block", "--host", "127.0.0.1", "--reason", "test", "--until", "2099-01-01"];
      expect(await gatehouse(args, own.env)).toMatchObject({ clients_disabled: 1, until: "2099-01-01T00:00:00.000Z" });
      expect([await status("/two"), await status("/three")]).toEqual([400, 400]);
      await gatehouse(["client", "unblock", "--host", "127.0.0.1"], own.env);
      expect([await status("/one"), await status("/two"), await status("/three")]).toEqual([400, 200, 200]);
    } finally {
      host.closeAllConnections();
      host.close();
    }
  });
});

test("redirect URIs of a confidential client must match exactly", async () => {
  const { client } = await registered();
  const page = await una.submit(await una.open(authorizePath(client)), { button: "Allow" });
  expect(callback(page).uri).toBe("https://shop.example/cb");
});
