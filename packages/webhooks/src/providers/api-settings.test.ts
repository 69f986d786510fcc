import { describe, expect, test } from "vitest";
import type { Adapter } from "./adapter.ts";
import { PROVIDERS } from "./index.ts";

const withApi = Object.entries<Adapter>(PROVIDERS).filter(([, { facts }]) => facts.reconcile);
const paths = (adapter: Adapter, settings: Record<string, unknown>) =>
  (adapter.settingsProblems?.(settings) ?? []).map(({ path }) => path);

describe.each(withApi)("the API settings of %s", (_, adapter) => {
  test("the console has a field for the API's address", () => {
    expect(adapter.settingsFields?.map(({ name }) => name)).toContain("apiBaseUrl");
  });

  test.each([undefined, "https://api.example.com", "http://127.0.0.1:4000", "http://localhost:4000"])(
    "%s is allowed",
    (apiBaseUrl) => {
      expect(paths(adapter, { apiBaseUrl })).toEqual([]);
    },
  );

  test.each(["http://api.example.com", "ftp://api.example.com", "api.example.com", "", 7, null])(
    "%s is refused",
    (apiBaseUrl) => {
      expect(paths(adapter, { apiBaseUrl })).toEqual(["apiBaseUrl"]);
    },
  );
});

test.each([
  ["github", "hookPath", "/repos/acme/shop/hooks/7", "/repos/../../user"],
  ["paddle", "notificationSettingId", "ntfset_01abc", "ntf_1,ntf_2"],
  ["polar", "polarEndpointId", "0c0d6c4e-3a0f-4b59-8d40-5f4b4d1c9a01", "all"],
] as const)("%s: %s is checked", (slug, name, right, wrong) => {
  expect(paths(PROVIDERS[slug], { [name]: right })).toEqual([]);
  expect(paths(PROVIDERS[slug], { [name]: wrong })).toEqual([name]);
});
