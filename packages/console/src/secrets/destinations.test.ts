import { PRESETS, type PresetId, type ProviderSettings } from "@gatehouse/accounts";
import { PROVIDERS } from "@gatehouse/webhooks";
import { expect, test } from "vitest";
import { DESTINATIONS } from "./destinations.ts";

const ELSEWHERE = "https://elsewhere.example";

test("every setting of a webhook provider that is a URL is known to be where an API key goes, or to be no such address", () => {
  const addresses = Object.values(PROVIDERS).flatMap(({ settingsFields = [] }) =>
    settingsFields.filter(({ kind }) => kind === "url").map(({ name }) => name),
  );
  const NOT_CALLED = ["notificationUrl"]; // part of what Square signs
  const bound = addresses.filter(
    (name) => DESTINATIONS["webhook API key"]({ settings: { [name]: ELSEWHERE } }) === ELSEWHERE,
  );
  expect(new Set(addresses)).toEqual(new Set([...bound, ...NOT_CALLED]));
});

test("no setting of a sign-in provider but its issuer changes which server gets the secret", () => {
  const tenants = ["9188040d-6c67-4c5b-b112-36a304b66dad", "00000000-0000-4000-8000-000000000001"];
  const settings: ProviderSettings[] = [
    { tenants: tenants.slice(0, 1) },
    { tenants, teamId: "A", keyId: "B", allowPrivateNetwork: true },
  ];
  for (const [id, preset] of Object.entries(PRESETS)) {
    const row = {
      id,
      preset: id as PresetId,
      name: id,
      issuer: "https://id.corp.example",
      clientId: "gate",
      secret: null,
      position: 0,
    };
    const at = { enabled: true, createdAt: 0, updatedAt: 0 };
    const origins = settings.map((one) => new URL(preset.issuerOf({ ...row, ...at, settings: one })).origin);
    expect(new Set(origins).size, id).toBe(1);
  }
});
