import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import {
  type ActingClient,
  authorizePath,
  callApi,
  obtainTokens,
  refresh,
  refusal,
  signIn,
  type Tokens,
} from "../harness/flow.ts";
import { apply } from "../harness/gatehouse.ts";

const issuer = inject("issuer");
const SCOPES = ["openid", "offline_access", "api:read"];
const WEB: ActingClient = {
  client_id: "market-web",
  client_secret: "only-for-tests-0123456789",
  redirect_uris: ["http://localhost:4000/market"],
};
const CLI: ActingClient = { client_id: "market-cli", redirect_uris: ["http://127.0.0.1/market"] };
let folder: string;
let ada: Agent;
let tokens: { web: Tokens; cli: Tokens };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-clients-"));
  const web = { ...WEB, type: "web", scopes: SCOPES };
  const cli = { ...CLI, type: "native", scopes: SCOPES };
  const clients = [
    { name: "Web", environments: { development: web } },
    { name: "CLI", environments: { development: cli } },
  ];
  const applied = await apply({ applications: [{ name: "Market", clients }] }, folder, inject("env"));
  expect(applied).toMatchObject({
    applications: [{ clients: [{ name: "Web", environments: { development: { client_id: "market-web" } } }, {}] }],
  });
  ada = await signIn(issuer, "several-clients");
  const scope = { scope: SCOPES.join(" ") };
  tokens = { web: await obtainTokens(ada, WEB, scope), cli: await obtainTokens(ada, CLI, scope) };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("users see one app, whatever client they use", async () => {
  expect((await ada.open(authorizePath(CLI, { prompt: "consent" }))).document.text).toContain("Market");
  const page = await ada.open("/account/apps");
  expect(page.document.querySelectorAll("li strong").filter(({ text }) => text.trim() === "Market")).toHaveLength(1);
});

test("SE-15 revoking the access of an app ends the tokens of all its clients, and each asks again", async () => {
  for (const { access } of Object.values(tokens)) expect((await callApi(issuer, access)).status).toBe(200);
  const page = await ada.open("/account/apps");
  await ada.submit(page, { button: "Revoke access", override: { client_id: "market-web" } });
  for (const { access } of Object.values(tokens))
    expect(refusal(await callApi(issuer, access))).toEqual([401, "invalid_token"]);
  expect(refusal(await refresh(issuer, CLI, tokens.cli.refresh))).toEqual([400, "invalid_grant"]);
  expect((await ada.open(authorizePath(WEB))).url).toContain("/consent");
});
