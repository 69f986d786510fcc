import { type AdapterFacts, PROVIDERS, type SettingsField } from "@gatehouse/webhooks";
import { settingsFieldsOf } from "./rules.ts";

/** What the console says about a provider. */
export type ProviderFacts = AdapterFacts & {
  provider: string;
  name: string;
  signatureName: string;
  /** Null if its signatures have no timestamp. */
  toleranceSeconds: number | null;
  settingsFields: SettingsField[];
  /** The types of the events that there is a sample of. */
  samples: string[];
};

/** Every provider that this release knows, by name. */
export function listWebhookProviders(): ProviderFacts[] {
  const all = Object.entries(PROVIDERS).map(([provider, adapter]) => {
    const { name, signatureName, toleranceSeconds, facts } = adapter;
    const [settingsFields, samples] = [settingsFieldsOf(adapter), Object.keys(adapter.samples)];
    return { provider, name, signatureName, toleranceSeconds, ...facts, settingsFields, samples };
  });
  return all.sort((one, other) => one.name.localeCompare(other.name, "en"));
}
