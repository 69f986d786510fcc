import type { AvailableResources, RegistryDeps } from "./registry.ts";
import { everyScopeName } from "./registry.ts";
import { isSameResource } from "./resource-indicators.ts";
import {
  findScope,
  mayRequestScope,
  namesAllAdvertised,
  parseScope,
  resolveScope,
  type ScopedClient,
  type ScopeProblem,
} from "./scope.ts";

/** What a client asked for in `scope` and `resource`. */
export type ScopeAsked = {
  scope: string | undefined;
  resources: readonly string[];
  /** A user reads what is granted before it is. */
  userDecides: boolean;
};

/**
 * `explicit`: the client named scopes. `leftOut`: names of the request that are not part of `scope`, which the ledger
 * notes.
 */
export type RequestedScope =
  | { ok: true; scope: string; explicit: boolean; leftOut: readonly string[] }
  | { ok: false; problem: ScopeProblem };

/**
 * Resolves the scope that a client asks for. Leaves out names that no API and no standard defines here, if any other is
 * left: clients send `groups` and `roles` to every server (AZ-16, CF-13). A scope that exists and is not allowed is a
 * problem, which the caller answers with `invalid_scope`. Never more than the client may request.
 */
export async function requestedScope(
  asked: ScopeAsked,
  client: ScopedClient,
  available: AvailableResources,
  deps: RegistryDeps,
): Promise<RequestedScope> {
  const sent = parseScope(asked.scope ?? "") ?? [];
  const explicit = sent.length > 0;
  const foreign = catalogueForOthers(asked, sent, client, available);
  const wanted = foreign?.tokens ?? sent;
  const resolved = resolveScope(foreign ? wanted.join(" ") : asked.scope, client, available);
  if (resolved.ok) return { ...resolved, explicit, leftOut: foreign?.leftOut ?? [] };
  if (resolved.problem.cause !== "scope_unknown") return resolved;

  const unknown = await unknownNames(wanted, available, deps);
  const kept = wanted.filter((name) => !unknown.includes(name));
  if (kept.length === 0) return resolved;
  const known = resolveScope(kept.join(" "), client, available);
  // It is known, by an API that the client is not registered for.
  if (!known.ok) return { ok: false, problem: { ...known.problem, cause: "scope_not_allowed" } };
  if (known.scope === "") return resolved;
  return { ok: true, scope: known.scope, explicit, leftOut: [...(foreign?.leftOut ?? []), ...unknown] };
}

/**
 * Those of the names that no scope here has. Asks for the registered APIs only if a name is neither ours nor of an
 * available one. AZ-16.
 */
export async function unknownNames(
  names: readonly string[],
  { scopes, resources }: AvailableResources,
  deps: RegistryDeps,
): Promise<string[]> {
  const available = new Set(resources.flatMap((resource) => resource.scopes.map(({ name }) => name)));
  const others = names.filter((name) => !findScope(name, scopes) && !available.has(name));
  if (others.length === 0) return [];
  const existing = await everyScopeName(deps);
  return others.filter((name) => !existing.has(name));
}

/**
 * A client that names another API than ours together with everything that this server advertises was told no scopes by
 * that API, and took ours for its. Leaves out the scopes of our API, and asks for what the client may have of the named
 * ones if it names none of theirs and a user decides. Undefined for any other request. CF-13.
 */
function catalogueForOthers(
  { resources, userDecides }: ScopeAsked,
  sent: readonly string[],
  client: ScopedClient,
  available: AvailableResources,
): { tokens: string[]; leftOut: string[] } | undefined {
  if (resources.length === 0 || !namesAllAdvertised(sent, available.scopes)) return undefined;
  const isNamed = (id: string) => resources.some((resource) => isSameResource(resource, id));
  const [own, ...others] = available.resources;
  const named = others.filter(({ id }) => isNamed(id));
  if (named.length === 0 || (own && isNamed(own.id))) return undefined;

  const isOfOurApi = (name: string) => findScope(name, available.scopes)?.kind === "api";
  const offered = named
    .flatMap(({ scopes }) => scopes.map(({ name }) => name))
    .filter((name) => mayRequestScope(client, name, available));
  const asksUser = userDecides && !client.firstParty && !sent.some((name) => offered.includes(name));
  return {
    tokens: [...sent.filter((name) => !isOfOurApi(name)), ...(asksUser ? offered : [])],
    leftOut: sent.filter(isOfOurApi),
  };
}
