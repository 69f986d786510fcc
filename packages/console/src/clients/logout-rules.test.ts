import type { ClientType, Environment } from "@gatehouse/auth";
import { expect, test } from "vitest";
import { type ClientDraft, clientProblems } from "./rules.ts";

const draft = (type: ClientType, environment: Environment, backchannelLogoutUri: string): ClientDraft => ({
  type,
  environment,
  redirectUris: ["https://app.example/cb"],
  postLogoutRedirectUris: [],
  grantTypes: ["authorization_code"],
  scopes: ["openid"],
  firstParty: false,
  resourceServer: false,
  refreshRetrySeconds: 30,
  options: { backchannelLogoutUri },
});

test.each<[string, ClientType, Environment, RegExp | undefined]>([
  ["https://app.example/out", "web", "production", undefined],
  ["https://app.example/out?tenant=1", "web", "production", undefined],
  ["http://127.0.0.1:4000/out", "web", "development", undefined],
  ["http://127.0.0.1:4000/out", "web", "production", /https/],
  ["http://app.example/out", "web", "development", /https/],
  ["https://user:pw@app.example/out", "web", "production", /credentials/],
  ["https://app.example/out#here", "web", "production", /fragment/],
  ["out", "web", "production", /https/],
  ["https://app.example/out", "browser", "production", /requires a web client/],
  ["https://app.example/out", "native", "development", /requires a web client/],
])("where a client is notified of sign-outs: %s of a %s client in %s", (uri, type, environment, problem) => {
  const found = clientProblems(draft(type, environment, uri), {}).filter(
    ({ path }) => path === "options.backchannelLogoutUri",
  );
  if (problem) expect(found).toMatchObject([{ message: expect.stringMatching(problem) }]);
  else expect(found).toEqual([]);
});
