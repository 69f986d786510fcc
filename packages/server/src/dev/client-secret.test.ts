import { SCOPES } from "@gatehouse/auth";
import { readManifest } from "@gatehouse/console/manifest/file/read-manifest";
import { expect, test } from "vitest";
import { withClientSecret } from "./client-secret.ts";

const client = (id: string, more: object = {}) => ({
  client_id: id,
  type: "web",
  redirect_uris: ["http://localhost:3000/auth/callback"],
  scopes: ["openid"],
  ...more,
});

function secretsAfter(product: Record<string, string>) {
  const file = {
    applications: [
      { name: "Shop", environments: { development: client("shop-dev"), staging: client("shop-staging") } },
      { name: "Till", environments: { development: client("till", { client_secret: "stated-in-the-file-0123" }) } },
    ],
  };
  const manifest = readManifest(JSON.stringify(file), { scopes: SCOPES }, () => "");
  return withClientSecret(manifest, product).applications.flatMap(({ environments = {} }) =>
    Object.values(environments).map((one) => [one?.client_id, one?.client_secret]),
  );
}

const UNCHANGED = [
  ["shop-dev", undefined],
  ["shop-staging", undefined],
  ["till", "stated-in-the-file-0123"],
];

test("PK-22 the product's development client has the secret of .env.local, its newest first", () => {
  const product = { GATEHOUSE_CLIENT_ID: "shop-dev", GATEHOUSE_CLIENT_SECRET: "new-secret-0123456789,old-one" };
  expect(secretsAfter(product)).toEqual([["shop-dev", "new-secret-0123456789"], ...UNCHANGED.slice(1)]);
});

test.each([
  ["no .env.local", {}],
  ["another client there", { GATEHOUSE_CLIENT_ID: "shop", GATEHOUSE_CLIENT_SECRET: "secret-0123456789" }],
  ["a client of staging there", { GATEHOUSE_CLIENT_ID: "shop-staging", GATEHOUSE_CLIENT_SECRET: "secret-0123456789" }],
  ["a client whose secret the file states", { GATEHOUSE_CLIENT_ID: "till", GATEHOUSE_CLIENT_SECRET: "secret-012345" }],
  ["no secret there", { GATEHOUSE_CLIENT_ID: "shop-dev", GATEHOUSE_CLIENT_SECRET: "" }],
])("PK-22 with %s, the file stays as it is", (_, product) => {
  expect(secretsAfter(product)).toEqual(UNCHANGED);
});
