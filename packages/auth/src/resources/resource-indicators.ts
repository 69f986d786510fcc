import { scopeTokens } from "@gatehouse/guard";
import { parseUrl } from "@gatehouse/runtime";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import type { AvailableResources, DeniedResource, Resource } from "./registry.ts";
import { findScope, type ScopeProblem } from "./scope.ts";

/**
 * Do both URIs name the same resource? Ignores the case of scheme and host and a trailing slash. RFC 8707 §2, RI-04.
 */
export function isSameResource(sent: string, id: string): boolean {
  return sent === id || (canonical(sent) !== undefined && canonical(sent) === canonical(id));
}

/**
 * A URI as a parser writes it, without a trailing slash. Undefined for anything but an absolute URI, which is ASCII
 * (RFC 3986 §2).
 */
function canonical(uri: string): string | undefined {
  return /^[\x21\x22\x24-\x7E]+$/.test(uri) ? parseUrl(uri)?.href.replace(/\/$/, "") : undefined;
}

/** What a client is authorized for: a scope, and the ids of the resources it can get tokens for. */
export type ScopeAndAudience = { scope: string; audience: readonly string[] };

export type ScopeRequest = {
  /** Already resolved: the client may request every token of it. */
  scope: string;
  /** False when the client requested no scope and `scope` is its default. */
  explicit: boolean;
  /** The values of `resource`. */
  resources: readonly string[];
};

/**
 * Reconciles the scope and the resources of a request. Requested resources limit the scope: a token of another resource
 * is `invalid_scope`, or dropped from a default scope. Without requested resources, the scope determines them. Throws
 * `invalid_target` for a resource that is not available to the client. RI-01, AZ-33, MC-07.
 */
export function bindScopeToResources(
  { scope, explicit, resources }: ScopeRequest,
  available: AvailableResources,
): ScopeAndAudience {
  const named = requireResources(resources, available);
  const [own] = available.resources;
  if (named.length === 0) {
    const owners = ownersOf(scope, available);
    return { scope, audience: (owners.length > 0 ? owners : available.resources.slice(0, 1)).map(({ id }) => id) };
  }
  const kept = scopeTokens(scope).filter(
    (name) => isIdentity(name, available) || named.some((resource) => owns(resource, name)),
  );
  if (explicit && kept.length < scopeTokens(scope).length) {
    throw scopeMismatch("the scope includes a token of another resource than those requested", {
      scope: scope.slice(0, 300),
    });
  }
  // The consent page asks about an API by its scopes, so each requested API needs at least one.
  const bare = named.find((resource) => resource !== own && !kept.some((name) => owns(resource, name)));
  if (bare) throw scopeMismatch("the scope includes no token of the requested resource", { resource: bare.id });
  return { scope: kept.join(" "), audience: named.map(({ id }) => id) };
}

/**
 * The one resource of an access token: the requested one, else the only authorized one, else our own API if it is
 * authorized. Throws `invalid_target`. RI-02, RI-03.
 */
function chooseResource(
  sent: readonly string[],
  authorized: readonly string[],
  available: AvailableResources,
): Resource {
  const candidates = available.resources.filter(({ id }) => authorized.includes(id));
  const named = requireResources(sent, { ...available, resources: candidates });
  if (named.length > 1)
    throw invalidTarget("resource_ambiguous", "An access token is for one resource. Request one token for each.", {});
  const [only = sent.length === 0 ? defaultOf(candidates, available) : undefined] = named;
  if (only) return only;
  const denied = available.denied.find(({ resource }) => authorized.includes(resource.id));
  if (denied) throw deniedTarget(denied);
  throw invalidTarget("resource_ambiguous", "Name one of the authorized resources in the resource parameter.", {
    authorized: authorized.join(" ").slice(0, 300),
  });
}

function defaultOf(candidates: readonly Resource[], { resources: [own] }: AvailableResources): Resource | undefined {
  return candidates.length === 1 ? candidates[0] : candidates.find((resource) => resource === own);
}

/** The part of a scope that belongs to a resource. Identity scopes and `offline_access` belong to our own API. */
export function scopeForResource(
  scope: string,
  resource: Resource,
  { resources: [own], scopes }: AvailableResources,
): string {
  const counts = (name: string) => (resource === own ? findScope(name, scopes) !== undefined : owns(resource, name));
  return scopeTokens(scope).filter(counts).join(" ");
}

export type TokenResourceRequest = {
  /** The values of `resource`. */
  resources: readonly string[];
  /** The authorized resources, space-separated; null for our own API. */
  audience: string | null;
  scope: string;
  /** The client named this scope, so without a `resource` the scope determines the resource. */
  explicit?: boolean;
};

/**
 * Resolves the resource of an access token, and the part of the scope that belongs to it. Throws `invalid_target`.
 * RI-02, RI-03.
 */
export function resolveTokenResource(
  { resources, audience, scope, explicit = false }: TokenResourceRequest,
  available: AvailableResources,
): { resource: Resource; scope: string } {
  const authorized = audience === null ? available.resources.slice(0, 1).map(({ id }) => id) : audience.split(" ");
  const implied = explicit ? ownersOf(scope, available).filter(({ id }) => authorized.includes(id)) : [];
  const resource = chooseResource(
    resources,
    resources.length === 0 && implied.length > 0 ? implied.map(({ id }) => id) : authorized,
    available,
  );
  return { resource, scope: scopeForResource(scope, resource, available) };
}

/** The audience as stored with a code: space-separated, null for our own API alone. */
export function storedAudience(audience: readonly string[], { resources: [own] }: AvailableResources): string | null {
  return audience.length === 1 && audience[0] === own?.id ? null : audience.join(" ");
}

/** The denied resource that a scope token belongs to; undefined when there is none. */
export function deniedOwnerOf(token: string | null, { denied }: AvailableResources): DeniedResource | undefined {
  return token === null ? undefined : denied.find(({ resource }) => owns(resource, token));
}

/** The true cause of a scope problem, which may be that the resource of the scope denies this client. */
export function scopeCause({ cause, token }: ScopeProblem, available: AvailableResources): RefusalCause {
  return deniedOwnerOf(token, available)?.cause ?? cause;
}

const DENIAL_DESCRIPTIONS = {
  resource_of_other_environment: "the resource does not allow clients of this environment",
  resource_refuses_strangers: "the resource allows only clients that an administrator registered",
} as const satisfies Record<DeniedResource["cause"], string>;

/** Why a resource denies a client, as an `error_description`: ASCII without quotes. */
export function denialDescription({ cause }: DeniedResource): string {
  return DENIAL_DESCRIPTIONS[cause];
}

/**
 * Throws `invalid_target` when the client requests a resource that denies it. Call it before resolving the scope, which
 * depends on it. D21, D22.
 */
export function rejectDeniedResources(sent: readonly string[], { denied }: AvailableResources): void {
  if (sent.length > MAX_RESOURCES) {
    throw invalidTarget("resource_unknown", `Send resource at most ${MAX_RESOURCES} times.`, {
      sent: String(sent.length),
    });
  }
  if (sent.length === 0 || denied.length === 0) return;
  const isRequested = matcherOf(sent);
  const requested = denied.find(({ resource: { id } }) => isRequested(id));
  if (requested) throw deniedTarget(requested);
}

/** More than any client needs. Each one is compared with every API. */
const MAX_RESOURCES = 100;

/** Whether a resource is one of those sent. Reads each spelling once, however many resources it is compared with. */
function matcherOf(sent: readonly string[]): (id: string) => boolean {
  let parsed: ReadonlySet<string | undefined> | undefined;
  return (id) => {
    if (sent.includes(id)) return true;
    parsed ??= new Set(sent.map(canonical).filter((uri) => uri !== undefined));
    return parsed.size > 0 && parsed.has(canonical(id));
  };
}

/** The requested resources, each once. Throws `invalid_target` for one that is not available. */
function requireResources(sent: readonly string[], available: AvailableResources): Resource[] {
  rejectDeniedResources(sent, available);
  const { resources } = available;
  const found = sent.map((value) => {
    const isSent = matcherOf([value]);
    const resource = resources.find(({ id }) => isSent(id));
    if (resource) return resource;
    const known = resources.map(({ id }) => id).join(" ");
    throw invalidTarget(
      "resource_unknown",
      `This resource is not available to this client or request. Available: ${known}`,
      {
        sent: value.slice(0, 200),
      },
    );
  });
  return [...new Set(found)];
}

/** The resources that a scope belongs to. Identity scopes belong to our own API; `offline_access` belongs to none. */
function ownersOf(scope: string, available: AvailableResources): Resource[] {
  const names = scopeTokens(scope).filter((name) => name !== "offline_access");
  return available.resources.filter((resource, at) =>
    names.some((name) => owns(resource, name) || (at === 0 && isIdentity(name, available))),
  );
}

function owns({ scopes }: Resource, name: string): boolean {
  return scopes.some((scope) => scope.name === name);
}

function isIdentity(name: string, { scopes }: Pick<AvailableResources, "scopes">): boolean {
  return findScope(name, scopes)?.kind === "identity";
}

function scopeMismatch(description: string, detail: RefusalDetail): OAuthError {
  return new OAuthError("invalid_scope", "scope_of_other_resource", description, { description, detail });
}

function deniedTarget(denied: DeniedResource): OAuthError {
  return invalidTarget(denied.cause, denialDescription(denied), { resource: denied.resource.id });
}

function invalidTarget(cause: RefusalCause, description: string, detail: RefusalDetail): OAuthError {
  return new OAuthError("invalid_target", cause, description, { description, detail });
}
