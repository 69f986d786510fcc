import {
  type ApiResource,
  type ClientOptions,
  type Config,
  type Environment,
  findScope,
  isSameResource,
  isScopeName,
  resourceEnvironments,
  scopesOf,
} from "@gatehouse/auth";
import { isUrl } from "@gatehouse/runtime";
import { isLoopbackHost } from "@gatehouse/runtime/loopback";
import type { Problem } from "../domain-error.ts";

/** A resource as it is requested. */
export type ResourceDraft = Omit<ApiResource, "createdAt" | "disabledAt">;

const MAX_ID_LENGTH = 500;

/** Every problem with a resource. `others` are all other registered resources. */
export function apiResourceProblems(
  draft: ResourceDraft,
  others: readonly ResourceDraft[],
  config: Pick<Config, "resource" | "scopes">,
): Problem[] {
  const message = idProblem(draft.id, others, config);
  return [
    ...(message === undefined ? [] : [{ path: "id", message }]),
    ...apiScopeProblems(draft.scopes, others, config),
  ];
}

/**
 * RFC 8707 §2: an absolute URI without fragment, in canonical form, so that clients and tokens can compare it exactly.
 * RI-04.
 */
function idProblem(id: string, others: readonly ResourceDraft[], config: Pick<Config, "resource">): string | undefined {
  if (id.length > MAX_ID_LENGTH || !/^[\x21\x23-\x5B\x5D-\x7E]+$/.test(id) || !isUrl(id)) {
    return "must be an absolute URI like https://stock.example.com";
  }
  const url = new URL(id);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.hostname))) {
    return "must be https; plain http is only for localhost, 127.0.0.1 and [::1]";
  }
  if (/[?#]/.test(id) || url.username !== "" || url.password !== "") return "must have no query, fragment or user";
  const canonical = url.href.replace(/\/$/, "");
  if (id !== canonical) return `must be written as ${canonical}`;
  if (isSameResource(id, config.resource)) return "is the built-in API, which is always registered";
  return others.some((other) => isSameResource(id, other.id)) ? "is already registered" : undefined;
}

/** A scope belongs to exactly one resource, so that its name identifies the resource. */
function apiScopeProblems(
  scopes: ResourceDraft["scopes"],
  others: readonly ResourceDraft[],
  config: Pick<Config, "scopes">,
): Problem[] {
  const table = scopesOf(config);
  if (scopes.length === 0)
    return [{ path: "scopes", message: "add at least one: a token without scopes allows nothing" }];
  return scopes.flatMap(({ name }, at) => {
    const path = `scopes.${at}.name`;
    if (!isScopeName(name)) return [{ path, message: "use printable ASCII without spaces, quotes or backslashes" }];
    if (findScope(name, table)) return [{ path, message: `${name} is a built-in scope` }];
    if (scopes.findIndex((scope) => scope.name === name) < at) return [{ path, message: `${name} is listed twice` }];
    const owner = others.find((other) => other.scopes.some((scope) => scope.name === name));
    return owner ? [{ path, message: `${name} belongs to ${owner.id}` }] : [];
  });
}

type Wishes = {
  environment: Environment;
  scopes: readonly string[];
  resourceServer: boolean;
  options?: ClientOptions | undefined;
};

/** True if checking this client requires the registered resources. */
export function namesResources(
  { scopes, options = {} }: Pick<Wishes, "scopes" | "options">,
  config: Pick<Config, "scopes">,
): boolean {
  const table = scopesOf(config);
  return (
    options.resources !== undefined || options.serves !== undefined || !scopes.every((name) => findScope(name, table))
  );
}

/** Every problem with the resources, and their scopes, that a client requests. */
export function clientResourceProblems(
  { environment, scopes, resourceServer, options = {} }: Wishes,
  registered: readonly ResourceDraft[],
  config: Pick<Config, "resource" | "issuer" | "scopes">,
): Problem[] {
  const table = scopesOf(config);
  const unknown = (list: readonly string[], field: string, known: readonly string[]) =>
    list.flatMap((id, at) =>
      known.includes(id) ? [] : [{ path: `options.${field}.${at}`, message: `${id} is not registered` }],
    );
  const ids = registered.map(({ id }) => id);
  const chosen = registered.filter(({ id }) => options.resources?.includes(id));
  const foreign = scopes.flatMap((name, at) => {
    if (findScope(name, table) || chosen.some((resource) => resource.scopes.some((scope) => scope.name === name)))
      return [];
    return [
      {
        path: `scopes.${at}`,
        message: `${JSON.stringify(name)} is neither a built-in scope nor a scope of a resource in options.resources`,
      },
    ];
  });
  const refusing = (options.resources ?? []).flatMap((id, at) => {
    const resource = registered.find((one) => one.id === id);
    const admitted = resource && resourceEnvironments(resource, config);
    if (!admitted || admitted.includes(environment)) return [];
    return [
      {
        path: `options.resources.${at}`,
        message: `${id} accepts clients of ${admitted.join(", ")}, not of ${environment}`,
      },
    ];
  });
  const serves = options.serves !== undefined && !resourceServer;
  return [
    ...unknown(options.resources ?? [], "resources", ids),
    ...refusing,
    ...unknown(options.serves ?? [], "serves", [...ids, config.resource]),
    ...(serves ? [{ path: "options.serves", message: "only a resource server can serve resources" }] : []),
    ...foreign,
  ];
}
