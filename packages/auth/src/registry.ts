import type { Client } from "./client.ts";
import type { Config, Deps } from "./deps.ts";
import type { ApiResource, ResourceStore } from "./resource-store.ts";
import { isScopeName, SCOPES, scopeTokens } from "./scope.ts";

/** An API that tokens can be for, our own or a registered one. */
export type Resource = Pick<ApiResource, "id" | "name" | "scopes" | "tokenFormat" | "tokenAlgorithm">;

export type RegistryDeps = Pick<Deps, "config" | "now"> & { store: ResourceStore };

/** What is registered may be this old, in seconds. */
const FRESH_SECONDS = 1;
const OUR_SCOPES = Object.entries(SCOPES)
  .filter(([, { kind }]) => kind !== "identity")
  .map(([name, { description }]) => ({ name, description }));

const ours = new WeakMap<Config, Resource>();
/** One reading for each store of this process; the promise, so that callers at once read it once. */
const readings = new WeakMap<ResourceStore, { at: number; resources: Promise<ApiResource[]> }>();

/** Our own API, which is always there. */
export function ourApi(config: Config): Resource {
  const known = ours.get(config);
  if (known) return known;
  const { resource: id, tokenFormat = "opaque", tokenAlgorithm = "RS256" } = config;
  const made = { id, name: "Gatehouse API", scopes: OUR_SCOPES, tokenFormat, tokenAlgorithm };
  ours.set(config, made);
  return made;
}

/** Every registered resource that is switched on, at most a second old. RFC 8707. */
export async function registeredResources({ store, now }: RegistryDeps): Promise<ApiResource[]> {
  const known = readings.get(store);
  const age = known && now() - known.at;
  if (known && age !== undefined && age >= 0 && age < FRESH_SECONDS) return known.resources;
  const resources = store.listResources().then((all) => all.filter(({ disabledAt }) => disabledAt === null));
  readings.set(store, { at: now(), resources });
  resources.catch(() => readings.delete(store)); // what failed once is read again
  return resources;
}

/** Is this a resource whose tokens count: our own API, or one that is registered and switched on? */
export async function isLiveResource(id: string, deps: RegistryDeps): Promise<boolean> {
  return id === deps.config.resource || (await registeredResources(deps)).some((resource) => resource.id === id);
}

/** What a client may ask tokens for: our own API, and those it is registered for. Reads nothing for a client without any. */
export async function resourcesOf(
  { options, origin }: Pick<Client, "options" | "origin">,
  deps: RegistryDeps,
): Promise<readonly Resource[]> {
  const own = ourApi(deps.config);
  const allowed = options.resources ?? [];
  // Nobody said what a client that registered itself is for: it may ask for any, and its users are asked.
  if (origin !== "registered") return [own, ...(await registeredResources(deps))];
  if (allowed.length === 0) return [own];
  const registered = await registeredResources(deps);
  return [own, ...registered.filter(({ id }) => allowed.includes(id))];
}

/** A scope as people read it; `resource` is the name of the API it belongs to, null for ours. */
export type ScopeInWords = { name: string; description: string; resource: string | null };

/** The words for each scope; those of other APIs come from the registry. AZ-34. */
export async function describeScopes(scope: string, deps: RegistryDeps): Promise<ScopeInWords[]> {
  const names = scopeTokens(scope);
  const registered = names.every(isScopeName) ? [] : await registeredResources(deps);
  return names.map((name) => {
    if (isScopeName(name)) return { name, description: SCOPES[name].description, resource: null };
    const owner = registered.find(({ scopes }) => scopes.some((one) => one.name === name));
    const description = owner?.scopes.find((one) => one.name === name)?.description ?? name;
    return { name, description, resource: owner?.name ?? null };
  });
}

/** IN-05: a resource server sees the tokens of the resources it serves, which is our own API unless it says otherwise. */
export function isServedBy(
  { type, resourceServer, options }: Pick<Client, "type" | "resourceServer" | "options">,
  audience: string,
  { resource }: Pick<Config, "resource">,
): boolean {
  return resourceServer && type === "service" && (options.serves ?? [resource]).includes(audience);
}
