import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, type Installation, openInstallation } from "../testing/installation.ts";
import { apply } from "./apply.ts";
import type { Change } from "./change.ts";
import { readManifest } from "./file/read-manifest.ts";
import { assertApproved, planConfiguration } from "./plan.ts";
import { prune } from "./prune.ts";

const SECRET = "only-for-tests-0123456789-0123456789";

const web = {
  client_id: "shop-web",
  type: "web",
  client_secret: SECRET,
  redirect_uris: ["https://shop.example/callback"],
  scopes: ["openid"],
};
const service = { client_id: "shop-job", type: "service", scopes: ["api:read"], access_token_seconds: 120 };
const shop = { name: "Shop", branding: { colour: "#0a5d3c" }, environments: { production: web, staging: service } };
const stock = { id: "https://stock.example/api", name: "Stock", scopes: { "stock:read": "see what is in stock" } };
const ada = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
const corp = {
  id: "corp",
  preset: "oidc",
  name: "Corp",
  issuer: "https://id.corp.example",
  client_id: "gate",
  client_secret_env: "CORP",
};
const EVERYTHING = {
  resources: [stock],
  users: [ada],
  applications: [shop],
  webhooks: [{ provider: "stripe", secrets: ["whsec_test_0123456789"] }],
  sign_in_providers: [corp],
};

describe.each(engines)("gatehouse plan, on $name", (engine) => {
  let installation: Installation;
  beforeEach(async () => {
    installation = await openInstallation(engine);
  });
  afterEach(() => installation.database.close());

  const applier = {
    author: { ...ADMIN, file: "gatehouse.json" },
    variable: (name: string) => (name === "CORP" ? "a secret of the corporation" : ""),
  };
  const read = (file: object) => readManifest(JSON.stringify(file), {}, applier.variable);
  const plan = (file: object) => planConfiguration(read(file), applier, installation.deps);
  const run = (file: object) => apply(read(file), applier, installation.deps);

  const actions = (changes: readonly Change[]) => changes.map(({ kind, action }) => `${kind} ${action}`);
  const fieldsOf = (changes: readonly Change[]) => changes.flatMap(({ fields }) => fields);

  test("CO-72 a plan writes nothing, and says of each object what apply then does", async () => {
    const first = await plan(EVERYTHING);
    expect(actions(first.changes)).toEqual([
      "resource create",
      "user create",
      "application create",
      "client create",
      "client create",
      "webhook_endpoint create",
      "sign_in_provider create",
    ]);
    expect(await plan(EVERYTHING)).toEqual(first);
    await run(EVERYTHING);
    const second = await plan(EVERYTHING);
    expect(second.changes.filter(({ action }) => action !== "keep")).toEqual([]);
    expect(second.id).not.toBe(first.id);
    expect(await run(EVERYTHING)).toMatchObject({ changed: false });
  });

  test.each<[string, object, string, object[]]>([
    [
      "a redirect URI",
      {
        applications: [
          { ...shop, environments: { production: { ...web, redirect_uris: ["https://shop.example/new"] } } },
        ],
      },
      "client",
      [{ field: "redirect_uris", before: ["https://shop.example/callback"], after: ["https://shop.example/new"] }],
    ],
    [
      "an option that the file leaves out now",
      { applications: [{ ...shop, environments: { staging: { ...service, access_token_seconds: undefined } } }] },
      "client",
      [{ field: "access_token_seconds", before: 120, after: null }],
    ],
    [
      "a second secret",
      { applications: [{ ...shop, environments: { production: { ...web, client_secret: `${SECRET}-2` } } }] },
      "client",
      [{ field: "client_secret", before: null, after: "added" }],
    ],
    [
      "a client switched off",
      { applications: [{ ...shop, environments: { production: { ...web, enabled: false } } }] },
      "client",
      [{ field: "enabled", before: true, after: false }],
    ],
    [
      "branding",
      { applications: [{ ...shop, branding: {} }] },
      "application",
      [{ field: "branding", before: { colour: "#0a5d3c" }, after: {} }],
    ],
    [
      "a scope's sentence",
      { resources: [{ ...stock, name: "Stocks" }] },
      "resource",
      [{ field: "name", before: "Stock", after: "Stocks" }],
    ],
    ["a role", { users: [{ ...ada, role: "admin" }] }, "user", [{ field: "role", before: "user", after: "admin" }]],
    [
      "a password",
      { users: [{ ...ada, password: "another correct horse", reset_password: true }] },
      "user",
      [{ field: "password", before: null, after: "changed" }],
    ],
    [
      "webhook secrets",
      { webhooks: [{ provider: "stripe", secrets: ["whsec_test_9876543210"] }] },
      "webhook_endpoint",
      [{ field: "secrets", before: null, after: "1 added, 1 ended" }],
    ],
    [
      "a provider's name",
      { sign_in_providers: [{ ...corp, name: "Corporation" }] },
      "sign_in_provider",
      [{ field: "name", before: "Corp", after: "Corporation" }],
    ],
  ])("CO-72 a plan shows %s field by field, and apply then changes it", async (_, file, kind, fields) => {
    await run(EVERYTHING);
    const { changes } = await plan(file);
    const updated = changes.filter(({ action }) => action === "update");
    expect(updated.map((change) => change.kind)).toEqual([kind]);
    expect(fieldsOf(updated)).toEqual(fields);
    expect(await run(file)).toMatchObject({ changed: true });
    expect((await plan(file)).changes.filter(({ action }) => action !== "keep")).toEqual([]);
  });

  test("CO-72 the values of secrets and passwords are in no plan", async () => {
    const text = JSON.stringify(await plan(EVERYTHING));
    for (const secret of [SECRET, "whsec_test_0123456789", "correct horse battery", "a secret of the corporation"]) {
      expect(text).not.toContain(secret);
    }
  });

  test("CO-72 a plan is approved only as long as nothing that it touches has changed", async () => {
    await run(EVERYTHING);
    const file = { applications: [{ ...shop, description: "Where people buy" }] };
    const { id } = await plan(file);
    expect(() => assertApproved({ id }, id)).not.toThrow();
    await run({ applications: [{ ...shop, environments: { production: { ...web, first_party: true } } }] });
    const moved = await plan(file);
    expect(() => assertApproved(moved, id)).toThrow("something has changed since this plan was made");
  });

  test("CO-72 what the file does not mention is listed, and removed only by pruning", async () => {
    await run(EVERYTHING);
    const file = { applications: [{ ...shop, environments: { production: web } }] };
    const { notInFile } = await plan(file);
    expect(notInFile.map(({ kind, name, environment }) => [kind, name, environment])).toEqual([
      ["client", "Shop / Main", "staging"],
      ["resource", stock.id, undefined],
      ["webhook_endpoint", "stripe", undefined],
      ["sign_in_provider", "corp", undefined],
    ]);
    expect(await run(file)).toMatchObject({ changed: false });
    await prune(notInFile, applier, installation.deps);
    expect((await plan(file)).notInFile).toEqual([]);
    const nothing = await plan({});
    expect(nothing.notInFile.map(({ kind, name }) => [kind, name])).toEqual([["application", "Shop"]]);
    await prune(nothing.notInFile, applier, installation.deps);
    expect((await plan({})).notInFile).toEqual([]);
  });
});
