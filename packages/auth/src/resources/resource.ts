import type { Client } from "../clients/client.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import { type Reach, type RegistryDeps, type Resource, reachOf, type WithheldResource } from "./registry.ts";
import { findScope, type ScopeProblem, scopeTokens } from "./scope.ts";

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
 * resource that is not in `reach`. RI-01, AZ-33.
 */
export function bindAccess({ scope, explicit, resources }: AccessRequest, reach: Reach): Access {
  const named = requireResources(resources, reach);
  const [own] = reach.resources;
  if (named.length === 0) {
    const owners = ownersOf(scope, reach);
    return { scope, audience: (owners.length > 0 ? owners : reach.resources.slice(0, 1)).map(({ id }) => id) };
  }
  const kept = scopeTokens(scope).filter((name) => isIdentity(name, reach) || named.some((resource) => owns(resource, name)));
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
export function chooseResource(sent: readonly string[], authorized: readonly string[], reach: Reach): Resource {
  const candidates = reach.resources.filter(({ id }) => authorized.includes(id));
  const named = requireResources(sent, { ...reach, resources: candidates });
  if (named.length > 1) throw invalidTarget("resource_ambiguous", "One token is for one resource. Ask for another token.", {});
  const [only = sent.length === 0 ? defaultOf(candidates, reach) : undefined] = named;
  if (only) return only;
  const withheld = reach.withheld.find(({ resource }) => authorized.includes(resource.id));
  if (withheld) throw withheldTarget(withheld);
  throw invalidTarget("resource_ambiguous", "Say in resource which of the authorized resources the token is for.", {
    authorized: authorized.join(" ").slice(0, 300),
  });
}

function defaultOf(candidates: readonly Resource[], { resources: [own] }: Reach): Resource | undefined {
  return candidates.length === 1 ? candidates[0] : candidates.find((resource) => resource === own);
}

/** The part of a scope that counts at a resource; the names about the user, and the offline one, are our own API's. */
export function scopeAt(scope: string, resource: Resource, { resources: [own], scopes }: Reach): string {
  const counts = (name: string) => (resource === own ? findScope(name, scopes) !== undefined : owns(resource, name));
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
  const reach = await reachOf(client, deps);
  const authorized = audience === null ? reach.resources.slice(0, 1).map(({ id }) => id) : audience.split(" ");
  const meant = explicit ? ownersOf(scope, reach).filter(({ id }) => authorized.includes(id)) : [];
  const resource = chooseResource(resources, resources.length === 0 && meant.length > 0 ? meant.map(({ id }) => id) : authorized, reach);
  return { resource, scope: scopeAt(scope, resource, reach) };
}

/** The audience as kept with a code: nothing for our own API alone. */
export function keptAudience(audience: readonly string[], { resources: [own] }: Reach): string | null {
  return audience.length === 1 && audience[0] === own?.id ? null : audience.join(" ");
}

/** The withheld resource that a scope belongs to; undefined when it belongs to none. */
export function withheldBehind(token: string | null, { withheld }: Reach): WithheldResource | undefined {
  return token === null ? undefined : withheld.find(({ resource }) => owns(resource, token));
}

/** The true cause of a scope problem: the scope's resource may be one that refuses this client. */
export function scopeCause({ cause, token }: ScopeProblem, reach: Reach): RefusalCause {
  return withheldBehind(token, reach)?.cause ?? cause;
}

const WITHHELD_BECAUSE = {
  resource_of_other_environment: "the resource admits no clients of this environment",
  resource_refuses_strangers: "the resource admits only clients that an administrator registered",
} as const satisfies Record<WithheldResource["cause"], string>;

/** Why a resource refuses a client, for the client's developer: ASCII without quotes. */
export function withheldSentence({ cause }: WithheldResource): string {
  return WITHHELD_BECAUSE[cause];
}

/** Throws `invalid_target` when a resource is named that refuses the client. Checked before the scope, which that decides. D21, D22. */
export function refuseWithheld(sent: readonly string[], { withheld }: Reach): void {
  const refusing = withheld.find(({ resource: { id } }) => sent.some((value) => isSameResource(value, id)));
  if (refusing) throw withheldTarget(refusing);
}

/** Each resource once, as registered. */
function requireResources(sent: readonly string[], reach: Reach): Resource[] {
  refuseWithheld(sent, reach);
  const { resources } = reach;
  const found = sent.map((value) => {
    const resource = resources.find(({ id }) => isSameResource(value, id));
    if (resource) return resource;
    const known = resources.map(({ id }) => id).join(" ");
    throw invalidTarget("resource_unknown", `There is no such resource for this client or request. There is: ${known}`, {
      sent: value.slice(0, 200),
    });
  });
  return [...new Set(found)];
}

/** Whom the scope is about. `offline_access` is about none, the other identity names about our own API. */
function ownersOf(scope: string, reach: Reach): Resource[] {
  const names = scopeTokens(scope).filter((name) => name !== "offline_access");
  return reach.resources.filter((resource, at) => names.some((name) => owns(resource, name) || (at === 0 && isIdentity(name, reach))));
}

function owns({ scopes }: Resource, name: string): boolean {
  return scopes.some((scope) => scope.name === name);
}

function isIdentity(name: string, { scopes }: Pick<Reach, "scopes">): boolean {
  return findScope(name, scopes)?.kind === "identity";
}

function scopeMismatch(description: string, detail: RefusalDetail): OAuthError {
  return new OAuthError("invalid_scope", "scope_of_other_resource", description, { description, detail });
}

function withheldTarget(withheld: WithheldResource): OAuthError {
  return invalidTarget(withheld.cause, withheldSentence(withheld), { resource: withheld.resource.id });
}

function invalidTarget(cause: RefusalCause, description: string, detail: RefusalDetail): OAuthError {
  return new OAuthError("invalid_target", cause, description, { description, detail });
}
