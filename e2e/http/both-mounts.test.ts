import { once } from "node:events";
import { request as open } from "node:http";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Agent, newAgent, readable } from "../harness/agent.ts";
import { CLIENTS, DEVICE_CODE, emailOf, fixture, PASSWORD, WEBHOOK_SECRETS } from "../harness/fixture.ts";
import {
  authorizePath,
  callApi,
  callback,
  newProof,
  obtainCode,
  obtainTokens,
  postAs,
  redeem,
  refresh,
  serviceToken,
  signIn,
} from "../harness/flow.ts";
import { type Gatehouse, POSTGRES, startGatehouse } from "../harness/gatehouse.ts";
import { encodeForm, json, type Send, send, textOf } from "../harness/http.ts";
import { newProofKey, proofFor } from "../harness/proof.ts";
import { pushedPath, pushRequest } from "../harness/pushing.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";
import { ANONYMOUS_REQUESTS, FORM, FROM_SPA, JSON_TYPE } from "./anonymous-requests.ts";
import { expectPageHeaders } from "./expectations.ts";

/**
 * Each kind of route once, in every respect in which our own server and `next start` could differ. All other files run
 * on our own server alone, unless GATEHOUSE_TEST_FULL=1.
 */

const { web, browser, device, service, resourceServer } = CLIENTS;
const NAME = "both-mounts";
describe.each(POSTGRES)("each kind of route, with the storage in %s", (engine) => {
  let own: Gatehouse;
  let issuer: string;
  let ada: Agent;
  beforeAll(async () => {
    own = await startGatehouse({ engine, fixture: fixture(), settings: { GATEHOUSE_REGISTRATION: "open" } });
    issuer = own.issuer;
    ada = await signIn(issuer, NAME);
  });
  afterAll(() => own?.stop());

  test.each(ANONYMOUS_REQUESTS)("%s", async (_, { path, ...request }, status, { headers = {}, body = /^/ } = {}) => {
    const answer = await send(issuer, path, request);
    expect(answer.status, answer.text.slice(0, 500)).toBe(status);
    for (const [name, value] of Object.entries(headers))
      expect([name, answer.headers.get(name)]).toEqual([name, expect.stringMatching(value)]);
    expect(answer.text).toMatch(body);
  });

  test("the headers of every page, on one of each kind", async () => {
    const pages = [
      await ada.open("/account"),
      await ada.open("/sign-in"),
      await ada.open(authorizePath(web)),
      await ada.open("/no/such"),
    ];
    for (const page of pages) expectPageHeaders(page);
  });

  test("a code with consent, its tokens, the API and a refresh", async () => {
    const consent = await ada.open(authorizePath(web));
    expect([consent.status, new URL(consent.url).pathname]).toEqual([200, "/consent"]);
    const denied = callback(await ada.submit(consent, { button: "Deny" }));
    expect([denied.params.get("error"), denied.params.get("iss")]).toEqual(["access_denied", issuer]);
    const { access, refresh: token } = await obtainTokens(ada, web, { scope: "openid email api:read offline_access" });
    expect((await callApi(issuer, access)).status).toBe(200);
    expect(json(await send(issuer, "/userinfo", { headers: { authorization: `Bearer ${access}` } }))).toMatchObject({
      email: emailOf(NAME),
    });
    const renewed = await refresh(issuer, web, token);
    expect([renewed.status, textOf(renewed, "refresh_token") === token]).toEqual([200, false]);
  });

  test("a POST to the authorization endpoint becomes a GET", async () => {
    const [path = "", body = ""] = authorizePath(web).split("?");
    const moved = await ada.request(path, {
      method: "POST",
      headers: { ...FORM, "sec-fetch-site": "cross-site" },
      body,
    });
    expect([moved.status, moved.headers.get("location")]).toEqual([303, expect.stringMatching(/\/authorize\?/)]);
  });

  test("a single-page app reads the response of the token endpoint", async () => {
    const { verifier, challenge } = newProof();
    const page = await ada.open(authorizePath(browser, { code_challenge: challenge }));
    const { uri, params } = callback(await ada.submit(page, { button: "Allow" }));
    const fields = {
      grant_type: "authorization_code",
      code: params.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: uri,
    };
    const answer = await postAs(issuer, "/token", browser, fields, FROM_SPA);
    expect([
      answer.status,
      answer.headers.get("access-control-allow-origin"),
      answer.headers.get("cache-control"),
    ]).toEqual([200, "*", "no-store"]);
  });

  test("a pushed request with a proof, which binds the token to its key", async () => {
    const key = await newProofKey();
    const { verifier, challenge } = newProof();
    const pushed = await pushRequest(
      issuer,
      web,
      { code_challenge: challenge },
      await proofFor(key, "POST", `${issuer}/par`),
    );
    expect(pushed.status).toBe(201);
    const page = await ada.open(pushedPath(web, textOf(pushed, "request_uri")));
    const { uri, params } = callback(page.status === 200 ? await ada.submit(page, { button: "Allow" }) : page);
    const fields = {
      grant_type: "authorization_code",
      code: params.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: uri,
    };
    const answer = await postAs(issuer, "/token", web, fields, await proofFor(key, "POST", `${issuer}/token`));
    const accessToken = textOf(answer, "access_token");
    const proof = await proofFor(key, "GET", `${issuer}/api/resource`, { accessToken });
    expect(
      (await send(issuer, "/api/resource", { headers: { authorization: `DPoP ${accessToken}`, ...proof } })).status,
    ).toBe(200);
    expect((await callApi(issuer, accessToken)).status).toBe(401);
  });

  test("a device gets its tokens once its user has allowed it", async () => {
    const begun = await postAs(issuer, "/device_authorization", device, { scope: "api:read" });
    const poll = () =>
      postAs(issuer, "/token", device, { grant_type: DEVICE_CODE, device_code: textOf(begun, "device_code") });
    expect(json(await poll())).toMatchObject({ error: "authorization_pending" });
    const page = await ada.submit(await ada.open("/device"), {
      fields: { Code: textOf(begun, "user_code") },
      button: "Continue",
    });
    expect(readable(page)).toContain("Requested from");
    await ada.submit(page, { button: "Allow" });
    expect((await callApi(issuer, textOf(await poll(), "access_token"))).status).toBe(200);
  });

  test("a client's own token, introspected and revoked", async () => {
    const token = await serviceToken(issuer);
    const isActive = async () => json(await postAs(issuer, "/introspect", resourceServer, { token }))["active"];
    expect(await isActive()).toBe(true);
    expect((await postAs(issuer, "/revoke", service, { token })).status).toBe(200);
    expect([await isActive(), (await callApi(issuer, token)).status]).toEqual([false, 401]);
  });

  test("a client registers itself, reads, changes and deletes its registration", async () => {
    const registration = {
      client_name: "Shop",
      redirect_uris: ["https://shop.example/cb"],
      token_endpoint_auth_method: "none",
    };
    const made = await send(issuer, "/register", {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify(registration),
    });
    expect(made.status, made.text).toBe(201);
    const path = new URL(textOf(made, "registration_client_uri")).pathname;
    const headers = { ...JSON_TYPE, authorization: `Bearer ${textOf(made, "registration_access_token")}` };
    expect(json(await send(issuer, path, { headers }))).toMatchObject({ client_name: "Shop" });
    const body = JSON.stringify({ ...registration, client_id: textOf(made, "client_id"), client_name: "Store" });
    const changed = await send(issuer, path, { method: "PUT", headers, body });
    expect(json(changed)).toMatchObject({ client_name: "Store" });
    const bearer = {
      authorization: `Bearer ${json(changed)["registration_access_token"] ?? textOf(made, "registration_access_token")}`,
    };
    expect((await send(issuer, path, { method: "DELETE", headers: bearer })).status).toBe(204);
    expect((await send(issuer, path, { headers: bearer })).status).toBe(401);
  });

  test("SD-04 a delivery is verified over its raw bytes, sent in one piece or in chunks, and its repeat is known", async () => {
    const payload = JSON.stringify({
      id: `evt_${engine}_${Date.now()}`,
      object: "event",
      type: "invoice.paid",
      note: "é".repeat(50_000),
    });
    const signature = new Stripe("sk_test_never_used").webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRETS.stripe,
    });
    const deliver = (more: Record<string, string>) =>
      send(issuer, "/api/webhooks/stripe", {
        method: "POST",
        headers: { ...JSON_TYPE, "stripe-signature": signature, ...more },
        body: payload,
      });
    expect(json(await deliver({ "transfer-encoding": "chunked" }))).toEqual({ received: true });
    expect(json(await deliver({}))).toEqual({ received: true, duplicate: true });
  });

  test("procedures: a query and a change by token, several queries in one request, a query by session, and a change from another site", async () => {
    const token = await consoleToken(issuer, "admin");
    const made = dataOf<{ id: string }>(
      await mutate(issuer, "applications.create", { name: "Both mounts", description: "" }, token),
    );
    expect(dataOf(await query(issuer, "applications.get", { id: made.id }, token))).toMatchObject({
      name: "Both mounts",
    });
    const batch = await query(issuer, "me.get,me.get?batch=1", undefined, token);
    expect([batch.status, JSON.parse(batch.text)]).toEqual([200, [expect.anything(), expect.anything()]]);
    expect((await ada.request("/trpc/me.get")).status).toBe(200);
    const headers = { ...JSON_TYPE, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await ada.request("/trpc/applications.create", { method: "POST", headers, body: "{}" })).status).toBe(403);
    expect((await mutate(issuer, "applications.create", {}, token)).status).toBe(400);
  });

  test("the stream of deliveries sends its first bytes before it ends", async () => {
    const headers = { authorization: `Bearer ${await consoleToken(issuer, "developer")}` };
    const asked = open(`${issuer}/api/deliveries/stream`, { headers }).end();
    const [answer] = await once(asked, "response");
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(String((await once(answer, "data"))[0])).not.toBe("");
    asked.destroy();
  });

  test("signing up, the account's form and picture, and signing out", async () => {
    const agent = newAgent(issuer);
    const fields = { Name: "Ada", Email: `new-${engine}@both-mounts.example`, Password: PASSWORD };
    await agent.submit(await agent.open("/sign-up"), { fields, button: "Create account" });
    const saved = await agent.submit(await agent.open("/account"), { fields: { Name: "Ädä" }, button: "Save" });
    expect(saved.text).toContain("Ädä");
    const upload = await agent.request(
      "/account/picture",
      pictureForm(
        saved.document.querySelector("form[action='/account/picture'] input[name=csrf]")?.getAttribute("value") ?? "",
        issuer,
      ),
    );
    expect(upload.status).toBe(303);
    const picture = await agent.request(
      (await agent.open("/account")).document.querySelector("img.avatar")?.getAttribute("src") ?? "",
    );
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await agent.request("/api/protected/me")).status).toBe(200);
    await agent.submit(saved, { button: "Sign out" });
    expect((await agent.request("/api/protected/me")).status).toBe(401);
  });

  test("a wrong password, and a form without its token", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-in");
    const fields = { Email: emailOf(NAME), Password: "a wrong password" };
    expect((await agent.post(page, { fields, button: "Sign in" })).status).toBe(400);
    expect((await agent.post(page, { fields, button: "Sign in", override: { csrf: undefined } })).status).toBe(403);
  });

  test("LO-01 a logout with an ID token, posted from the client's page, ends the session", async () => {
    const agent = await signIn(issuer, NAME);
    const answer = await redeem(issuer, web, await obtainCode(agent, web, { scope: "openid" }));
    const body = encodeForm({ id_token_hint: textOf(answer, "id_token") });
    const posted = await newAgent(issuer).request("/logout", {
      method: "POST",
      headers: { ...FORM, "sec-fetch-site": "cross-site" },
      body,
    });
    expect(posted.status).toBe(303);
    await agent.open(new URL(posted.headers.get("location") ?? "", issuer).href.slice(issuer.length));
    expect((await agent.request("/api/protected/me")).status).toBe(401);
  });
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** The form of a picture, as a browser sends it. */
function pictureForm(csrf: string, origin: string): Send {
  const field = (name: string, value: string) =>
    `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file =
    '--edge\r\nContent-Disposition: form-data; name="picture"; filename="me.png"\r\nContent-Type: image/png\r\n\r\n';
  return {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=edge", origin, "sec-fetch-site": "same-origin" },
    body: Buffer.concat([
      Buffer.from(field("csrf", csrf) + field("action", "upload") + file),
      PNG,
      Buffer.from("\r\n--edge--\r\n"),
    ]),
  };
}
