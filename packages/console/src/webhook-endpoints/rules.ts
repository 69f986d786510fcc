import type { Environment } from "@gatehouse/auth";
import { type Adapter, type AdapterSettings, isProvider, PROVIDERS, type SettingsField } from "@gatehouse/webhooks";
import type { Problem } from "../domain-error.ts";

/** The last segment of an endpoint's URL. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** A tolerance of 0 would reject every delivery, and a long one allows replays. */
const MAX_TOLERANCE_SECONDS = 3600;

const TOLERANCE_FIELD: SettingsField = {
  name: "toleranceSeconds",
  label: "Tolerance in seconds",
  help: `How far the signed time may be from this server’s clock, 1 to ${MAX_TOLERANCE_SECONDS}. A longer tolerance gives an attacker more time to send a captured delivery again.`,
  kind: "number",
};

/** The adapter of a provider; undefined if there is no such provider. */
export function adapterOf(provider: string): Adapter | undefined {
  return isProvider(provider) ? PROVIDERS[provider] : undefined;
}

export function providerProblems(provider: string): Problem[] {
  if (isProvider(provider)) return [];
  return [
    { path: "provider", message: `is not a known provider. Known providers: ${Object.keys(PROVIDERS).join(", ")}` },
  ];
}

/** Every problem with a new endpoint's slug. A provider's name is the slug of its default endpoint. */
export function slugProblems(slug: string, provider: string): Problem[] {
  const problem = (message: string) => [{ path: "slug", message }];
  if (!SLUG.test(slug))
    return problem("use 1 to 63 lower-case letters, digits and hyphens, and begin with a letter or digit");
  if (isProvider(slug) && slug !== provider)
    return problem(`is the name of another provider. Only an endpoint of ${slug} can use it`);
  return [];
}

/**
 * Every problem with an endpoint's environment. The default endpoint is where the provider's live events go, so it is
 * of production. CO-58.
 */
export function environmentProblems(slug: string, provider: string, environment: Environment): Problem[] {
  if (slug !== provider || environment === "production") return [];
  const message = `must be production for the endpoint that is named like its provider. Create another one, such as ${slug}-${environment}`;
  return [{ path: "environment", message }];
}

/** The settings that an endpoint of this provider can have. */
export function settingsFieldsOf({ toleranceSeconds, settingsFields = [] }: Adapter): SettingsField[] {
  const listed = settingsFields.some(({ name }) => name === TOLERANCE_FIELD.name);
  return toleranceSeconds === null || listed ? [...settingsFields] : [...settingsFields, TOLERANCE_FIELD];
}

/** Every problem with an endpoint's settings, as `settings.<name>`. */
export function settingsProblems(provider: string, settings: AdapterSettings): Problem[] {
  const adapter = adapterOf(provider);
  if (!adapter) return [];
  const names = settingsFieldsOf(adapter).map(({ name }) => name);
  const unknown = Object.keys(settings).filter((name) => !names.includes(name));
  const found = [
    ...unknown.map((name) => ({ path: name, message: `is not a setting of ${adapter.name}. ${listOf(names)}` })),
    ...toleranceProblems(settings),
    ...(adapter.settingsProblems?.(settings) ?? []),
  ];
  const first = found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
  return first.map(({ path, message }) => ({ path: `settings.${path}`, message }));
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "It has no settings" : `Its settings: ${names.join(", ")}`;
}

function toleranceProblems({ toleranceSeconds: value }: AdapterSettings): Problem[] {
  if (value === undefined) return [];
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TOLERANCE_SECONDS) return [];
  return [
    { path: TOLERANCE_FIELD.name, message: `must be a whole number of seconds from 1 to ${MAX_TOLERANCE_SECONDS}` },
  ];
}
