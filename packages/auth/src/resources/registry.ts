import { scopeTokens } from "@gatehouse/guard";
import { type Client, ENVIRONMENTS, type Environment, isSelfDescribed } from "../clients/client.ts";
import type { Config, Deps } from "../deps.ts";
import type { ApiResource, ResourceStore } from "../store/api-resources.ts";
import { findScope, scopesOf } from "./scope.ts";
import type { ScopeTable } from "./scope-table.ts";

/** An API that tokens can be issued for: our own or a registered one. */
export type Resource = Pick<ApiResource, "id" | "name" | "scopes" | "tokenFormat" | "tokenAlgorithm">;

export type RegistryDeps = Pick<Deps, "config" | "now"> & { store: ResourceStore };

/** The list of registered resources is read again after this many seconds. */
const FRESH_SECONDS = 1;

const ownApis = new WeakMap<Config, Resource>();
/** Per store. Holds the promise, so that concurrent callers share one read. */
const cache = new WeakMap<ResourceStore, { at: number; read: Promise<Registry> }>();

/** What is registered: the enabled resources, and the names of all scopes, of disabled resources too. */
type Registry = { enabled: ApiResource[]; scopeNames: ReadonlySet<string> };

/** Our own API (`/api`), which needs no registration. */
export function ownApi(config: Config): Resource {
  const known = ownApis.get(config);
  if (known) return known;
  const { resource: id, tokenFormat = "opaque", tokenAlgorithm = "RS256" } = config;
  const scopes = Object.entries(scopesOf(config))
    .filter(([, { kind }]) => kind !== "identity")
    .map(([name, { description }]) => ({ name, description }));
  const made = { id, name: "Gatehouse API", scopes, tokenFormat, tokenAlgorithm };
  ownApis.set(config, made);
  return made;
}

/** Every enabled registered resource, as of at most a second ago. RFC 8707. */
export async function registeredResources(deps: RegistryDeps): Promise<ApiResource[]> {
  return (await registry(deps)).enabled;
}

/**
 * The name of each scope that a registered resource defines, of disabled resources too, as of at most a second ago.
 * AZ-16.
 */
export async function everyScopeName(deps: RegistryDeps): Promise<ReadonlySet<string>> {
  return (await registry(deps)).scopeNames;
}

function registry({ store, now }: RegistryDeps): Promise<Registry> {
  const known = cache.get(store);
  const age = known && now() - known.at;
  if (known && age !== undefined && age >= 0 && age < FRESH_SECONDS) return known.read;
  const read = store.listResources().then((all) => ({
    enabled: all.filter(({ disabledAt }) => disabledAt === null),
    scopeNames: new Set(all.flatMap(({ scopes }) => scopes.map(({ name }) => name))),
  }));
  cache.set(store, { at: now(), read });
  read.catch(() => cache.delete(store)); // retry after a failure
  return read;
}

/** The default environments: all while the issuer is http, which is allowed on loopback only; otherwise production. */
function defaultEnvironments({ issuer }: Pick<Config, "issuer">): readonly Environment[] {
  return issuer.startsWith("http:") ? ENVIRONMENTS : ["production"];
}

/** The environments whose tokens our own API accepts. D22. */
export function ownApiEnvironments(config: Pick<Config, "issuer" | "apiEnvironments">): readonly Environment[] {
  return config.apiEnvironments ?? defaultEnvironments(config);
}

/** The environments whose clients may request tokens for a registered resource. D22. */
export function resourceEnvironments(
  { environments }: Pick<ApiResource, "environments">,
  config: Pick<Config, "issuer">,
): readonly Environment[] {
  return environments ?? defaultEnvironments(config);
}

type AcceptedEnvironments = readonly Environment[] | undefined;

/**
 * The environments whose tokens a resource accepts; undefined when it is not registered or is disabled. A promise
 * unless it is our own API. D22.
 */
export function acceptedEnvironments(
  id: string,
  deps: RegistryDeps,
): AcceptedEnvironments | Promise<AcceptedEnvironments> {
  return id === deps.config.resource ? ownApiEnvironments(deps.config) : environmentsOfRegistered(id, deps);
}

async function environmentsOfRegistered(id: string, deps: RegistryDeps): Promise<AcceptedEnvironments> {
  const resource = (await registeredResources(deps)).find((one) => one.id === id);
  return resource && resourceEnvironments(resource, deps.config);
}

/** A resource that a client would get tokens for, if the resource did not deny it; `cause` says why. */
export type DeniedResource = {
  resource: Resource;
  cause: "resource_of_other_environment" | "resource_refuses_strangers";
};

/** The resources and scopes that a client may request. */
export type AvailableResources = {
  /** Allowed ones, our own API first. */
  resources: readonly Resource[];
  denied: readonly DeniedResource[];
  /** The scopes of our own API and of identity. */
  scopes: ScopeTable;
};

type ResourceClient = Pick<Client, "options" | "origin" | "environment">;

/**
 * What a client may request: our own API and the resources it is registered for. A client that no admin registered may
 * request every resource that allows such clients. A resource must also allow the client's environment. Without
 * registered resources this reads nothing from the store.
 */
export async function availableResources(client: ResourceClient, deps: RegistryDeps): Promise<AvailableResources> {
  const own = ownApi(deps.config);
  const selfDescribed = isSelfDescribed(client);
  const attached = client.options.resources ?? [];
  const scopes = scopesOf(deps.config);
  if (!selfDescribed && attached.length === 0) return { resources: [own], denied: [], scopes };
  const wanted = (await registeredResources(deps)).filter(({ id }) => selfDescribed || attached.includes(id));
  const checked = wanted.map((resource) => ({ resource, cause: denialCause(resource, client, deps.config) }));
  return {
    resources: [own, ...checked.flatMap(({ resource, cause }) => (cause === undefined ? [resource] : []))],
    denied: checked.flatMap(({ resource, cause }) => (cause === undefined ? [] : [{ resource, cause }])),
    scopes,
  };
}

function denialCause(
  resource: ApiResource,
  client: ResourceClient,
  config: Pick<Config, "issuer">,
): DeniedResource["cause"] | undefined {
  if (isSelfDescribed(client) && resource.strangers === "refused") return "resource_refuses_strangers";
  return resourceEnvironments(resource, config).includes(client.environment)
    ? undefined
    : "resource_of_other_environment";
}

/** A scope with its description for people; `resource` is the name of its API, null for our own. */
export type DescribedScope = { name: string; description: string; resource: string | null };

/** Describes each token of a space-separated scope. AZ-34. */
export async function describeScopes(scope: string, deps: RegistryDeps): Promise<DescribedScope[]> {
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

/**
 * May this client introspect tokens for `audience`? A resource server serves our own API unless its options name
 * others. IN-05.
 */
export function isServedBy(
  { type, resourceServer, options }: Pick<Client, "type" | "resourceServer" | "options">,
  audience: string,
  { resource }: Pick<Config, "resource">,
): boolean {
  return resourceServer && type === "service" && (options.serves ?? [resource]).includes(audience);
}
