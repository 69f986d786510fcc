import { type Client, ENVIRONMENTS, type Environment } from "../clients/client.ts";
import type { Config, Deps } from "../deps.ts";
import type { ApiResource, ResourceStore } from "../store/api-resources.ts";
import { findScope, type ScopeTable, scopesOf, scopeTokens } from "./scope.ts";

/** An API that tokens can be for, our own or a registered one. */
export type Resource = Pick<ApiResource, "id" | "name" | "scopes" | "tokenFormat" | "tokenAlgorithm">;

export type RegistryDeps = Pick<Deps, "config" | "now"> & { store: ResourceStore };

/** What is registered may be this old, in seconds. */
const FRESH_SECONDS = 1;

const ours = new WeakMap<Config, Resource>();
/** One reading for each store of this process; the promise, so that callers at once read it once. */
const readings = new WeakMap<ResourceStore, { at: number; resources: Promise<ApiResource[]> }>();

/** Our own API, which is always there. */
export function ownApi(config: Config): Resource {
  const known = ours.get(config);
  if (known) return known;
  const { resource: id, tokenFormat = "opaque", tokenAlgorithm = "RS256" } = config;
  const scopes = Object.entries(scopesOf(config))
    .filter(([, { kind }]) => kind !== "identity")
    .map(([name, { description }]) => ({ name, description }));
  const made = { id, name: "Gatehouse API", scopes, tokenFormat, tokenAlgorithm };
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

/** The environments that count where nobody chose: all while the issuer is http, which it may be on loopback only; else production. */
export function defaultEnvironments({ issuer }: Pick<Config, "issuer">): readonly Environment[] {
  return issuer.startsWith("http:") ? ENVIRONMENTS : ["production"];
}

/** The environments whose tokens our own API accepts. D22. */
export function ownApiEnvironments(config: Pick<Config, "issuer" | "apiEnvironments">): readonly Environment[] {
  return config.apiEnvironments ?? defaultEnvironments(config);
}

/** The environments whose clients may ask for tokens of a registered resource. D22. */
export function resourceEnvironments(
  { environments }: Pick<ApiResource, "environments">,
  config: Pick<Config, "issuer">,
): readonly Environment[] {
  return environments ?? defaultEnvironments(config);
}

/** The environments whose tokens count at a resource; undefined when it is not registered, or switched off. D22. */
export async function acceptedEnvironments(id: string, deps: RegistryDeps): Promise<readonly Environment[] | undefined> {
  if (id === deps.config.resource) return ownApiEnvironments(deps.config);
  const resource = (await registeredResources(deps)).find((one) => one.id === id);
  return resource && resourceEnvironments(resource, deps.config);
}

/** A resource that a client would have tokens of, and why it gets none. */
export type WithheldResource = { resource: Resource; cause: "resource_of_other_environment" | "resource_refuses_strangers" };

/** What a client may ask tokens for. */
export type Reach = {
  /** Our own API first. */
  resources: readonly Resource[];
  withheld: readonly WithheldResource[];
  /** The scopes of our own API and of identity. */
  scopes: ScopeTable;
};

type Asking = Pick<Client, "options" | "origin" | "environment">;

/**
 * What a client may ask tokens for: our own API, and those it is registered for; a client that no admin registered, those that
 * admit such clients. Of either, only resources that admit the client's environment. Reads nothing for a client without any.
 */
export async function reachOf(client: Asking, deps: RegistryDeps): Promise<Reach> {
  const own = ownApi(deps.config);
  const registered = client.origin === "registered";
  const attached = client.options.resources ?? [];
  const scopes = scopesOf(deps.config);
  if (registered && attached.length === 0) return { resources: [own], withheld: [], scopes };
  const wanted = (await registeredResources(deps)).filter(({ id }) => !registered || attached.includes(id));
  const judged = wanted.map((resource) => ({ resource, cause: refusedBecause(resource, client, deps.config) }));
  return {
    resources: [own, ...judged.flatMap(({ resource, cause }) => (cause === undefined ? [resource] : []))],
    withheld: judged.flatMap(({ resource, cause }) => (cause === undefined ? [] : [{ resource, cause }])),
    scopes,
  };
}

function refusedBecause(
  resource: ApiResource,
  { origin, environment }: Asking,
  config: Pick<Config, "issuer">,
): WithheldResource["cause"] | undefined {
  if (origin !== "registered" && resource.strangers === "refused") return "resource_refuses_strangers";
  return resourceEnvironments(resource, config).includes(environment) ? undefined : "resource_of_other_environment";
}

/** A scope as people read it; `resource` is the name of the API it belongs to, null for ours. */
export type ScopeInWords = { name: string; description: string; resource: string | null };

/** The words for each scope; those of other APIs come from the registry. AZ-34. */
export async function describeScopes(scope: string, deps: RegistryDeps): Promise<ScopeInWords[]> {
  const names = scopeTokens(scope);
  const table = scopesOf(deps.config);
  const registered = names.every((name) => findScope(name, table)) ? [] : await registeredResources(deps);
  return names.map((name) => {
    const own = findScope(name, table);
    if (own) return { name, description: own.description, resource: null };
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
