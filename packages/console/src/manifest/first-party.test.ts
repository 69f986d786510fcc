import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../testing/callers.ts";

const [engine] = engines; // nothing here depends on it
const OWN = "https://desk.example";
const LOCAL = "http://localhost:3000";
const signIn = (change: object = {}) => ({
  client_id: "desk",
  type: "web",
  first_party: true,
  redirect_uris: [`${OWN}/auth/callback`],
  post_logout_redirect_uris: [`${OWN}/`],
  backchannel_logout_uri: `${OWN}/auth/backchannel-logout`,
  scopes: ["openid", "email", "api:read"],
  ...change,
});
const fileOf = (change: object = {}) =>
  JSON.stringify({ applications: [{ name: "Desk", environments: { development: signIn(change) } }] });

describe("PK-22 CO-70 an API token for the team's own origins", () => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine ?? expect.unreachable());
  });
  afterEach(() => it.close());

  const tokenFor = (...firstPartyOrigins: string[]) =>
    it.asToken(["config:plan", "config:apply"], { firstPartyOrigins }).configuration;
  const applyAs = async (file: string, caller = tokenFor(OWN, LOCAL)) => {
    const { changesId: planId } = await caller.plan({ file });
    return caller.applyFile({ file, planId });
  };
  const refusalOf = (file: string, caller = tokenFor(OWN, LOCAL)) =>
    applyAs(file, caller).then(
      () => "applied",
      (error: Error) => error.message,
    );

  test("adds a first-party client with all its addresses there, returns its secret once, and changes it", async () => {
    expect(await applyAs(fileOf())).toMatchObject({ changed: true, secrets: [{ clientId: "desk" }] });
    const moved = fileOf({ redirect_uris: [`${LOCAL}/auth/callback`, `${OWN}/auth/callback`] });
    expect(await applyAs(moved)).toMatchObject({ changed: true, secrets: [] });
    expect(await applyAs(moved)).toMatchObject({ changed: false, secrets: [] });
    expect(await applyAs(fileOf({ enabled: false }))).toMatchObject({ changed: true });
  });

  test("refuses an address elsewhere, and names it", async () => {
    const elsewhere: [string, object][] = [
      ["https://evil.example", { redirect_uris: [`${OWN}/auth/callback`, "https://evil.example/cb"] }],
      ["https://desk.example.evil.example", { redirect_uris: ["https://desk.example.evil.example/cb"] }],
      ["https://evil.desk.example", { redirect_uris: ["https://evil.desk.example/cb"] }],
      ["https://desk.example:8443", { redirect_uris: ["https://desk.example:8443/cb"] }],
      ["https://evil.example", { post_logout_redirect_uris: ["https://evil.example/"] }],
      ["https://evil.example", { backchannel_logout_uri: "https://evil.example/logout" }],
      ["https://evil.example", { authentication: "private_key_jwt", jwks_uri: "https://evil.example/jwks" }],
    ];
    for (const [origin, change] of elsewhere)
      expect(await refusalOf(fileOf(change))).toContain(
        `Desk / Main (development): has addresses at ${origin}, and this API token may register first-party clients at ${OWN}, ${LOCAL} alone`,
      );
    expect(await refusalOf(fileOf(), tokenFor())).toMatch(/is first-party, .*this API token cannot add/);
  });

  test("refuses a client that could do more than sign users in to a web app, wherever it is", async () => {
    const nowhere = { redirect_uris: [], post_logout_redirect_uris: [], backchannel_logout_uri: undefined };
    const more: object[] = [
      { scopes: ["openid", "console:read", "console:write"] },
      { ...nowhere, type: "service", first_party: false, resource_server: true, scopes: ["api:read"] },
      { ...nowhere, type: "device", scopes: ["openid"] }, // its users are sent to no address
      { grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:token-exchange"] },
      { type: "browser", backchannel_logout_uri: undefined },
    ];
    for (const change of more) expect(await refusalOf(fileOf(change))).toMatch(/this API token cannot add/);
  });

  test("moves no client there that is registered elsewhere, first-party or not, and removes none", async () => {
    const admin = it.as("admin").configuration;
    const old = fileOf({ redirect_uris: ["https://old.example/auth/callback"] });
    await admin.applyFile({ file: old, planId: (await admin.plan({ file: old })).changesId });
    expect(await refusalOf(fileOf())).toContain("https://old.example");
    expect(await refusalOf(fileOf({ first_party: false }))).toContain("https://old.example");

    const file = JSON.stringify({ applications: [] });
    const token = tokenFor(OWN, "https://old.example");
    const { id: planId, notInFile } = await token.plan({ file });
    await expect(token.applyFile({ file, planId, prune: notInFile.length })).rejects.toThrow(/Desk.*API token/);

    const partner = (change: object) =>
      fileOf(change).replaceAll('"desk"', '"partner"').replaceAll('"Desk"', '"Partner"');
    const theirs = partner({ first_party: false, redirect_uris: ["https://partner.example/cb"] });
    expect(await applyAs(theirs, tokenFor())).toMatchObject({ changed: true });
    expect(await refusalOf(partner({}))).toContain("https://partner.example");
  });
});
