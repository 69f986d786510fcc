import type { Client } from "./client.ts";
import { OAuthError } from "./error.ts";
import type { RefusalCause, RefusalDetail } from "./refusal.ts";
import { type RegistryDeps, type Resource, resourcesOf } from "./registry.ts";
import { isScopeName, SCOPES, scopeTokens } from "./scope.ts";

/** Do both name the same resource? The case of scheme and host, and a slash at the end, do not matter. RFC 8707 §2, RI-04. */
export function isSameResource(sent: string, id: string): boolean {
  if (sent === id) return true;
  if (sent.includes("#") || !URL.canParse(sent)) return false;
  return new URL(sent).href.replace(/\/$/, "") === new URL(id).href.replace(/\/$/, "");
}

/** What an authorization is for: the scope, and the resources that tokens of it can be had for. */
export type Access = { scope: string; audience: readonly string[] };

export type AccessRequest = {
  /** As resolved for the client: every token is one it may hold. */
  scope: string;
  /** False when the client named no scope, and `scope` is its default. */
  explicit: boolean;
  /** The values of `resource`. */
  resources: readonly string[];
};

/**
 * Brings the scope and the resources of a request together. Resources that are named bound the scope: what belongs to others
 * is `invalid_scope`, or left out of a default. Without any, they follow from the scope. Throws `invalid_target` for a
 * resource that is not in `reach`: what the client may ask tokens for, our own API first. RI-01, AZ-33.
 */
export function bindAccess({ scope, explicit, resources }: AccessRequest, reach: readonly Resource[]): Access {
  const named = requireResources(resources, reach);
  const [own] = reach;
  if (named.length === 0) {
    const owners = ownersOf(scope, reach);
    return { scope, audience: (owners.length > 0 ? owners : reach.slice(0, 1)).map(({ id }) => id) };
  }
  const kept = scopeTokens(scope).filter((name) => isIdentity(name) || named.some((resource) => owns(resource, name)));
  if (explicit && kept.length < scopeTokens(scope).length) {
    throw scopeMismatch("the scope has names that belong to no resource of this request", { scope: scope.slice(0, 300) });
  }
  // Each API is asked about by its scopes on the consent page, so none goes without.
  const bare = named.find((resource) => resource !== own && !kept.some((name) => owns(resource, name)));
  if (bare) throw scopeMismatch("the scope has no name that belongs to the resource", { resource: bare.id });
  return { scope: kept.join(" "), audience: named.map(({ id }) => id) };
}

/**
 * The one resource of an access token: that named, or else the only one, or else our own API when it is among those
 * authorized. Throws `invalid_target`. RI-02, RI-03.
 */
export function chooseResource(sent: readonly string[], authorized: readonly string[], reach: readonly Resource[]): Resource {
  const candidates = reach.filter(({ id }) => authorized.includes(id));
  const named = requireResources(sent, candidates);
  if (named.length > 1) throw invalidTarget("resource_ambiguous", "One token is for one resource. Ask for another token.", {});
  const [only = sent.length === 0 ? defaultOf(candidates, reach) : undefined] = named;
  if (only) return only;
  throw invalidTarget("resource_ambiguous", "Say in resource which of the authorized resources the token is for.", {
    authorized: authorized.join(" ").slice(0, 300),
  });
}

function defaultOf(candidates: readonly Resource[], [own]: readonly Resource[]): Resource | undefined {
  return candidates.length === 1 ? candidates[0] : candidates.find((resource) => resource === own);
}

/** The part of a scope that counts at a resource; the names about the user, and the offline one, are our own API's. */
export function scopeAt(scope: string, resource: Resource, [own]: readonly Resource[]): string {
  const counts = (name: string) => (resource === own ? isScopeName(name) : owns(resource, name));
  return scopeTokens(scope).filter(counts).join(" ");
}

export type TokenRequest = {
  /** The values of `resource`. */
  resources: readonly string[];
  /** What was authorized: the space-separated resources, null for our own API, and the scope. */
  audience: string | null;
  scope: string;
  /** The scope is a part that was asked for; without a resource, it says which one is meant. */
  explicit?: boolean;
};

/** The resource that an access token is for, and what of the scope counts there. Throws `invalid_target`. RI-02, RI-03. */
export async function tokenTarget(
  { resources, audience, scope, explicit = false }: TokenRequest,
  client: Client,
  deps: RegistryDeps,
): Promise<{ resource: Resource; scope: string }> {
  const reach = await resourcesOf(client, deps);
  const authorized = audience === null ? reach.slice(0, 1).map(({ id }) => id) : audience.split(" ");
  const meant = explicit ? ownersOf(scope, reach).filter(({ id }) => authorized.includes(id)) : [];
  const resource = chooseResource(resources, resources.length === 0 && meant.length > 0 ? meant.map(({ id }) => id) : authorized, reach);
  return { resource, scope: scopeAt(scope, resource, reach) };
}

/** The audience as kept with a code: nothing for our own API alone. */
export function keptAudience(audience: readonly string[], [own]: readonly Resource[]): string | null {
  return audience.length === 1 && audience[0] === own?.id ? null : audience.join(" ");
}

/** Each resource once, as registered. */
function requireResources(sent: readonly string[], reach: readonly Resource[]): Resource[] {
  const found = sent.map((value) => {
    const resource = reach.find(({ id }) => isSameResource(value, id));
    if (resource) return resource;
    const known = reach.map(({ id }) => id).join(" ");
    throw invalidTarget("resource_unknown", `There is no such resource for this client or request. There is: ${known}`, {
      sent: value.slice(0, 200),
    });
  });
  return [...new Set(found)];
}

/** Whom the scope is about. `offline_access` is about none, the other identity names about our own API. */
function ownersOf(scope: string, reach: readonly Resource[]): Resource[] {
  const names = scopeTokens(scope).filter((name) => name !== "offline_access");
  return reach.filter((resource, at) => names.some((name) => owns(resource, name) || (at === 0 && isIdentity(name))));
}

function owns({ scopes }: Resource, name: string): boolean {
  return scopes.some((scope) => scope.name === name);
}

function isIdentity(name: string): boolean {
  return isScopeName(name) && SCOPES[name].kind === "identity";
}

function scopeMismatch(description: string, detail: RefusalDetail): OAuthError {
  return new OAuthError("invalid_scope", "scope_of_other_resource", description, { description, detail });
}

function invalidTarget(cause: RefusalCause, description: string, detail: RefusalDetail): OAuthError {
  return new OAuthError("invalid_target", cause, description, { description, detail });
}
