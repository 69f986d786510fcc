import { expect, test } from "vitest";
import type { ClientView } from "@/trpc/types.ts";
import { defaultSettings } from "../client-types.ts";
import { compareClients } from "./comparison.ts";

const client = (environment: ClientView["environment"], change: Partial<ClientView> = {}): ClientView => ({
  ...defaultSettings("web"),
  redirectUris: [`https://${environment}.example/cb`],
  clientId: environment,
  applicationId: "shop",
  applicationName: "Shop",
  name: "Main",
  environment,
  type: "web",
  enabled: true,
  origin: "registered",
  createdAt: 1,
  updatedAt: 1,
  version: 1,
  managed: null,
  secrets: [],
  ...change,
});
const labels = (fields: { label: string }[]) => fields.map(({ label }) => label);

test("CO-23 settings that should be equal and are not come apart from those that differ by design", () => {
  const { differing, same, byDesign } = compareClients([
    client("development", { options: { dpopBound: true } }),
    client("production", { scopes: ["openid"], options: { backchannelLogoutUri: "https://shop.example/out" } }),
  ]);
  expect(labels(differing)).toEqual(["Scopes", "Require DPoP"]);
  expect(labels(byDesign)).toEqual(["Redirect URIs", "Post-logout redirect URIs", "Back-channel logout URI"]);
  expect(labels(same)).toContain("Grant types");
});

test("CO-23 the order of a list is no difference", () => {
  const { differing } = compareClients([
    client("development", { scopes: ["a", "b"] }),
    client("staging", { scopes: ["b", "a"] }),
  ]);
  expect(differing).toEqual([]);
});
