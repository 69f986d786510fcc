import {
  type ApiResource,
  type ClientOptions,
  type Config,
  type Environment,
  findScope,
  isSameResource,
  parseScope,
  resourceEnvironments,
  scopesOf,
} from "@gatehouse/auth";
import { isLoopbackHost } from "@gatehouse/net/loopback";
import type { Problem } from "../domain-error.ts";

/** A resource as it is asked for. */
export type ResourceDraft = Omit<ApiResource, "createdAt" | "disabledAt">;

const MAX_ID_LENGTH = 500;

/** Everything that is wrong with a resource, each with its field. `others` are all that are registered beside it. */
export function apiResourceProblems(
  draft: ResourceDraft,
  others: readonly ResourceDraft[],
  config: Pick<Config, "resource" | "scopes">,
): Problem[] {
  const message = idProblem(draft.id, others, config);
  return [...(message === undefined ? [] : [{ path: "id", message }]), ...apiScopeProblems(draft.scopes, others, config)];
}

/** RFC 8707 §2: absolute, without fragment; one way to write it, so that clients and tokens agree to the letter. RI-04. */
function idProblem(id: string, others: readonly ResourceDraft[], config: Pick<Config, "resource">): string | undefined {
  if (id.length > MAX_ID_LENGTH || !/^[\x21\x23-\x5B\x5D-\x7E]+$/.test(id) || !URL.canParse(id)) {
    return "must be an absolute URI like https://stock.example.com";
  }
  const url = new URL(id);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname))) {
    return "must be https; plain http is only for localhost, 127.0.0.1 and [::1]";
  }
  if (/[?#]/.test(id) || url.username !== "" || url.password !== "") return "must have no query, fragment or user";
  const canonical = url.href.replace(/\/$/, "");
  if (id !== canonical) return `write it as ${canonical}`;
  if (isSameResource(id, config.resource)) return "is our own API, which is always there";
  return others.some((other) => isSameResource(id, other.id)) ? "is registered already" : undefined;
}

/** A scope belongs to one resource, so its name says which is meant. */
function apiScopeProblems(scopes: ResourceDraft["scopes"], others: readonly ResourceDraft[], config: Pick<Config, "scopes">): Problem[] {
  const table = scopesOf(config);
  if (scopes.length === 0) return [{ path: "scopes", message: "name at least one: a token without any would allow nothing" }];
  return scopes.flatMap(({ name }, at) => {
    const path = `scopes.${at}.name`;
    if (parseScope(name)?.length !== 1) return [{ path, message: "use visible ASCII without spaces, quotes and backslashes" }];
    if (findScope(name, table)) return [{ path, message: `${name} is a scope of our own` }];
    if (scopes.findIndex((scope) => scope.name === name) < at) return [{ path, message: `${name} is in the list twice` }];
    const owner = others.find((other) => other.scopes.some((scope) => scope.name === name));
    return owner ? [{ path, message: `${name} belongs to ${owner.id}` }] : [];
  });
}

type Wishes = { environment: Environment; scopes: readonly string[]; resourceServer: boolean; options?: ClientOptions | undefined };

/** Does judging this client need the registry? */
export function namesResources({ scopes, options = {} }: Pick<Wishes, "scopes" | "options">, config: Pick<Config, "scopes">): boolean {
  const table = scopesOf(config);
  return options.resources !== undefined || options.serves !== undefined || !scopes.every((name) => findScope(name, table));
}

/** What is wrong with the resources and their scopes that a client asks for. */
export function clientResourceProblems(
  { environment, scopes, resourceServer, options = {} }: Wishes,
  registered: readonly ResourceDraft[],
  config: Pick<Config, "resource" | "issuer" | "scopes">,
): Problem[] {
  const table = scopesOf(config);
  const unknown = (list: readonly string[], field: string, known: readonly string[]) =>
    list.flatMap((id, at) => (known.includes(id) ? [] : [{ path: `options.${field}.${at}`, message: `${id} is not registered` }]));
  const ids = registered.map(({ id }) => id);
  const chosen = registered.filter(({ id }) => options.resources?.includes(id));
  const foreign = scopes.flatMap((name, at) => {
    if (findScope(name, table) || chosen.some((resource) => resource.scopes.some((scope) => scope.name === name))) return [];
    return [{ path: `scopes.${at}`, message: `${JSON.stringify(name)} is no scope of ours nor of a resource in options.resources` }];
  });
  const refusing = (options.resources ?? []).flatMap((id, at) => {
    const resource = registered.find((one) => one.id === id);
    const admitted = resource && resourceEnvironments(resource, config);
    if (!admitted || admitted.includes(environment)) return [];
    return [{ path: `options.resources.${at}`, message: `${id} admits clients of ${admitted.join(", ")}, not of ${environment}` }];
  });
  const serves = options.serves !== undefined && !resourceServer;
  return [
    ...unknown(options.resources ?? [], "resources", ids),
    ...refusing,
    ...unknown(options.serves ?? [], "serves", [...ids, config.resource]),
    ...(serves ? [{ path: "options.serves", message: "only a resource server serves resources" }] : []),
    ...foreign,
  ];
}
