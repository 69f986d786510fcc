import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import {
  authorize,
  authorizePath,
  callApi,
  callback,
  obtainTokens,
  redeem,
  refresh,
  refusal,
  signIn,
} from "../harness/flow.ts";
import type { Fields, HeaderFields } from "../harness/http.ts";
import { expectErrorPage, expectErrorRedirect, expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const { web, otherWeb, browser, firstParty } = CLIENTS;

let cy: Agent;
beforeAll(async () => {
  cy = await signIn(issuer, "consent");
});

/** The consent page, even if consent exists. */
const asked = (change: Fields = {}) => cy.open(authorizePath(web, { prompt: "consent", ...change }));

describe("consent", () => {
  test("AZ-34 the page shows the application, the redirect host and a description of each scope", async () => {
    const page = await asked({ scope: "api:read api:write" });
    const words = page.document.text;
    for (const part of ["Application web", "app.example", "read your data", "change your data"])
      expect(words).toContain(part);
    expectPageHeaders(page);
  });

  test("AZ-23 Deny returns access_denied with a state of 128 characters and no code", async () => {
    const state = "d".repeat(128);
    const page = await cy.submit(await asked({ state }), { button: "Deny" });
    expectErrorRedirect(page, "access_denied", { to: web.redirect_uris[0], iss: issuer, state });
  });

  test("SE-04 the response to a decision is 303", async () => {
    expect((await cy.post(await asked(), { button: "Allow" })).status).toBe(303);
  });

  test.each<[string, { override?: Fields; headers?: HeaderFields }]>([
    ["without the token", { override: { csrf: undefined } }],
    ["with another token", { override: { csrf: "x" } }],
    ["from a foreign site", { headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" } }],
    ["from a foreign origin", { headers: { "sec-fetch-site": undefined, origin: "https://evil.example" } }],
  ])("N16 SE-09 a POST %s is rejected", async (_, change) => {
    const answer = await cy.post(await asked(), { button: "Allow", ...change });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("location")).toBeNull();
  });

  test("N16 a CSRF token of another session is rejected", async () => {
    const mine = await asked();
    const stranger = await signIn(issuer, "sign-in");
    const answer = await stranger.post(mine, { button: "Allow" });
    expect([400, 403]).toContain(answer.status);
    expect(answer.headers.get("location")).toBeNull();
  });

  test("AZ-31 request parameters are never read from the form", async () => {
    const answer = await cy.post(await asked(), {
      button: "Allow",
      override: { redirect_uri: "https://evil.example/cb", scope: "api:read api:write", client_id: "other-web" },
    });
    expect(callback(answer).uri).toBe(web.redirect_uris[0]);
  });

  test("SE-09 opening the page decides nothing", async () => {
    const page = await asked();
    expect(page.status).toBe(200);
    const again = await cy.request(new URL(page.url).pathname + new URL(page.url).search);
    expect([again.status, again.headers.get("location")]).toEqual([200, null]);
  });

  test("without a session the page redirects to sign-in; with an invalid request it shows an error", async () => {
    const { pathname, search } = new URL((await asked()).url);
    const stranger = await newAgent(issuer).open(pathname + search);
    expect(stranger.url).toContain("/sign-in");
    expectErrorPage(await cy.open("/consent?request=nonsense"));
    expectErrorPage(await cy.open("/consent"));
  });

  test("AZ-33 more scopes need consent; the same or fewer do not", async () => {
    const uri = { redirect_uri: otherWeb.redirect_uris[0] };
    await authorize(cy, otherWeb, { ...uri, scope: "api:read" });
    expect(callback(await cy.open(authorizePath(otherWeb, { scope: "api:read" }))).params.has("code")).toBe(true);
    expect((await cy.open(authorizePath(otherWeb, { scope: "api:read api:write" }))).url).toContain("/consent");
  });

  test("AZ-32 consent for a single-page app on https is reused", async () => {
    await authorize(cy, browser);
    expect(callback(await cy.open(authorizePath(browser))).params.has("code")).toBe(true);
  });

  test("a first-party client needs no consent", async () => {
    expect(callback(await cy.open(authorizePath(firstParty))).params.has("code")).toBe(true);
  });

  test("interop-22 prompt=consent is kept through sign-in", async () => {
    await authorize(cy, web);
    const agent = newAgent(issuer);
    const signInPage = await agent.open(authorizePath(web, { prompt: "consent" }));
    const page = await agent.submit(signInPage, {
      fields: { Email: emailOf("consent"), Password: PASSWORD },
      button: "Sign in",
    });
    expect(page.url).toContain("/consent");
  });

  test("OI-03 max_age=0 asks for the password again", async () => {
    expect((await cy.open(authorizePath(web, { max_age: "0" }))).url).toContain("/sign-in");
    expect(callback(await authorize(cy, web, { max_age: "10000" })).params.has("code")).toBe(true);
  });
});

describe("revoking access on the account page", () => {
  test("SE-15 revoking an app ends its tokens at once and deletes the consent", async () => {
    const dan = await signIn(issuer, "account");
    const tokens = await obtainTokens(dan, web);
    expect((await callApi(issuer, tokens.access)).status).toBe(200);

    const account = await dan.open("/account/apps");
    expect(account.document.text).toContain("Application web");
    await dan.submit(account, { button: "Revoke access", override: { client_id: "web" } });

    expect(refusal(await callApi(issuer, tokens.access))).toEqual([401, "invalid_token"]);
    expect(refusal(await refresh(issuer, web, tokens.refresh))).toEqual([400, "invalid_grant"]);
    expect((await dan.open(authorizePath(web))).url).toContain("/consent");
  });

  test("AC-10 a code issued before the revocation is invalid too", async () => {
    const dan = await signIn(issuer, "account");
    const { params } = callback(await authorize(dan, otherWeb));
    const account = await dan.open("/account/apps");
    await dan.submit(account, { button: "Revoke access", override: { client_id: "other-web" } });
    const code = { code: params.get("code") ?? "", verifier: "v".repeat(43), redirectUri: otherWeb.redirect_uris[0] };
    expect(refusal(await redeem(issuer, otherWeb, code))).toEqual([400, "invalid_grant"]);
  });

  test("the session list signs out another device", async () => {
    const here = await signIn(issuer, "account");
    const there = await signIn(issuer, "account");
    expect((await there.request("/api/protected/me")).status).toBe(200);
    await here.submit(await here.open("/account/sessions"), { button: "Sign out everywhere else" });
    expect((await there.request("/api/protected/me")).status).toBe(401);
    expect((await here.request("/api/protected/me")).status).toBe(200);
  });
});
