import { describe, expect, test } from "vitest";
import { variableNames } from "../export/variable-names.ts";
import { ManifestError } from "./manifest-error.ts";
import { readManifest } from "./read-manifest.ts";

const VALUE = "the value of a variable";
const stripe = { provider: "stripe", endpoint: "stripe-eu" };
const corp = { id: "corp", preset: "oidc", issuer: "https://id.corp.example", client_id: "gate" };
const from = (name: string) => ({ from_env: name });
const shop = (client: object) => ({
  applications: [
    { name: "Shop", environments: { production: { type: "web", redirect_uris: [], scopes: [], ...client } } },
  ],
});

/** What is wrong with a file where every environment variable has a value. */
function problemsOf(file: object): unknown {
  try {
    readManifest(JSON.stringify(file), {}, () => VALUE);
    return [];
  } catch (error) {
    expect(String(error)).not.toContain(VALUE);
    return error instanceof ManifestError ? error.problems : error;
  }
}

describe("values of environment variables in a file, CO-71", () => {
  test.each<[string, object]>([
    ["applications.0.name", { applications: [{ name: from("X"), environments: {} }] }],
    ["applications.0.environments.production.client_id", shop({ client_id: from("X") })],
    ["applications.0.environments.production.redirect_uris.0", shop({ redirect_uris: [from("X")] })],
    ["webhooks.0.settings.apiBaseUrl", { webhooks: [{ ...stripe, settings: { apiBaseUrl: from("X") } }] }],
    ["webhooks.0.settings.secrets.0", { webhooks: [{ ...stripe, settings: { secrets: [from("X")] } }] }],
    [
      "webhooks.0.secrets.0.name",
      { webhooks: [{ ...stripe, secrets: [{ secret: "whsec_test_0123456789", name: from("X") }] }] },
    ],
    ["sign_in_providers.0.issuer", { sign_in_providers: [{ ...corp, issuer: from("X") }] }],
    ["sign_in_providers.0.client_secret_env", { sign_in_providers: [{ ...corp, client_secret_env: from("X") }] }],
  ])("CO-71 %s is printed by a plan or sent elsewhere, so it cannot come from one", (path, file) => {
    expect(problemsOf(file)).toMatchObject([
      { path: `${path}.from_env`, message: expect.stringMatching(/^is only for secrets/) },
    ]);
  });

  test("CO-71 a member that only looks like the path of a secret is an unknown field, without its value", () => {
    expect(problemsOf({ "webhooks.0.api_key": from("X") })).toEqual([
      { path: "webhooks.0.api_key", message: "is not a known field" },
    ]);
  });

  test.each(["GATEHOUSE_SECRET", "DATABASE_URL", "gatehouse_secret"])(
    "CO-71 no file reads %s, which belongs to the server",
    (name) => {
      const refused = (path: string) => [
        { path, message: expect.stringMatching(/^must not begin with GATEHOUSE_ or DATABASE_/) },
      ];
      const secret = "applications.0.environments.production.client_secret.from_env";
      expect(problemsOf(shop({ client_secret: from(name) }))).toMatchObject(refused(secret));
      expect(problemsOf({ users: [{ email: "a@b.example", password: from(name) }] })).toMatchObject(
        refused("users.0.password.from_env"),
      );
      expect(problemsOf({ webhooks: [{ ...stripe, secrets: [from(name)] }] })).toMatchObject(
        refused("webhooks.0.secrets.0.from_env"),
      );
      expect(problemsOf({ webhooks: [{ ...stripe, api_key: from(name) }] })).toMatchObject(
        refused("webhooks.0.api_key.from_env"),
      );
      const provider = { ...corp, client_secret_env: name };
      expect(problemsOf({ sign_in_providers: [provider] })).toMatchObject(
        refused("sign_in_providers.0.client_secret_env"),
      );
    },
  );

  test("CO-71 an export names variables that a file may use", () => {
    expect(variableNames()("Gatehouse docs", "", "production", "secret")).toBe("APP_GATEHOUSE_DOCS_PRODUCTION_SECRET");
  });
});
