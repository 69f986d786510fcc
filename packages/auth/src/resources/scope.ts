import { scopeTokens } from "@gatehouse/guard";
import { SCOPES, type ScopeDefinition, type ScopeTable } from "./scope-table.ts";

/** Every scope of this installation, except those of registered resources. */
export function scopesOf({ scopes = SCOPES }: { scopes?: ScopeTable }): ScopeTable {
  return scopes;
}

/** OAuth 2.1 §1.4.1: printable ASCII without space, quote and backslash. */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** OpenID Connect's standard scopes: dropped without an error for a client that is not registered for them. CF-13. */
const STANDARD_NAMES: ReadonlySet<string> = new Set(
  Object.entries(SCOPES).flatMap(([name, { kind }]) => (kind === "identity" ? [name] : [])),
);

/** The definition of a scope; undefined for a name that is not in the table. */
export function findScope(name: string, table: ScopeTable): ScopeDefinition | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Can this be the name of a scope? OAuth 2.1 §1.4.1. */
export function isScopeName(name: string): boolean {
  return SCOPE_TOKEN.test(name);
}

/**
 * The distinct tokens of a scope parameter, in the order sent. Ignores spaces before, after and between them, which
 * clients send where a part of theirs is empty. Undefined when it violates the grammar of OAuth 2.1 §1.4.1 (AZ-15).
 */
export function parseScope(scope: string): string[] | undefined {
  const tokens = scopeTokens(scope);
  return tokens.every(isScopeName) ? [...new Set(tokens)] : undefined;
}

/** The tokens of `a` that are also in `b`. Both are space-separated. */
export function commonTokens(a: string, b: string): string {
  const tokens = new Set(scopeTokens(b));
  return scopeTokens(a)
    .filter((token) => tokens.has(token))
    .join(" ");
}

/** The union of two space-separated scopes, each token once. */
export function mergeScopes(a: string, b: string): string {
  return [...new Set([...scopeTokens(a), ...scopeTokens(b)])].join(" ");
}

/** The scopes of our own API that clients other than our own can use. PM-02. */
export function apiScopes(table: ScopeTable): string[] {
  return Object.entries(table).flatMap(([name, { kind }]) => (kind === "api" ? [name] : []));
}

/** What the metadata of this server lists as its scopes. MD-03, MC-11. */
export function advertisedScopes(table: ScopeTable): string[] {
  return ["openid", "profile", "email", "offline_access", ...apiScopes(table)];
}

/**
 * Are all advertised scopes among these? A client requests them all if the resource that it wants to call names no
 * scopes. CF-13.
 */
export function namesAllAdvertised(tokens: readonly string[], table: ScopeTable): boolean {
  return advertisedScopes(table).every((name) => tokens.includes(name));
}

/** A client, as far as its scopes go. */
export type ScopedClient = { scopes: readonly string[]; firstParty: boolean };
/** An API with its scopes. */
type Scoped = { scopes: readonly { name: string }[] };
/** The scopes that a client can request: those of the installation and of the resources available to the client. */
type RequestableScopes = { scopes?: ScopeTable; resources?: readonly Scoped[] };

/** Are scopes of this kind for first-party clients only? */
export function isFirstPartyKind(kind: ScopeDefinition["kind"]): boolean {
  return kind === "console" || kind === "account";
}

/**
 * May this client request this scope? Account and console scopes are for first-party clients only, whatever is
 * registered.
 */
export function mayRequestScope(
  client: ScopedClient,
  name: string,
  { scopes = SCOPES, resources = [] }: RequestableScopes = {},
): boolean {
  if (!client.scopes.includes(name)) return false;
  const own = findScope(name, scopes);
  return own ? client.firstParty || !isFirstPartyKind(own.kind) : isScopeOf(name, resources);
}

function isScopeOf(name: string, resources: readonly Scoped[]): boolean {
  return resources.some(({ scopes }) => scopes.some((scope) => scope.name === name));
}

/**
 * The scope of a client that requests none: every API scope it may request, but no identity, account or console scope.
 * AZ-14.
 */
export function defaultScope(client: ScopedClient, requestable: RequestableScopes = {}): string {
  const isApiScope = (name: string) => (findScope(name, requestable.scopes ?? SCOPES)?.kind ?? "api") === "api";
  return client.scopes.filter((name) => isApiScope(name) && mayRequestScope(client, name, requestable)).join(" ");
}

/** Why a scope parameter is invalid, and the offending token if there is one. */
export type ScopeProblem = { cause: "scope_malformed" | "scope_unknown" | "scope_not_allowed"; token: string | null };

export type ScopeResult = { ok: true; scope: string } | { ok: false; problem: ScopeProblem };

/**
 * Resolves a scope parameter for a client: its default scope when undefined or blank, otherwise the requested tokens.
 * Standard OpenID Connect scopes that the client is not registered for are dropped (CF-13). Any other unknown or
 * disallowed token is a problem. Endpoints call `requestedScope`, which knows the scopes of every API.
 */
export function resolveScope(
  asked: string | undefined,
  client: ScopedClient,
  requestable: RequestableScopes = {},
): ScopeResult {
  const tokens = parseScope(asked ?? "");
  if (tokens?.length === 0) return { ok: true, scope: defaultScope(client, requestable) };
  if (!tokens) return { ok: false, problem: { cause: "scope_malformed", token: null } };

  const granted: string[] = [];
  for (const token of tokens) {
    if (mayRequestScope(client, token, requestable)) granted.push(token);
    else if (!STANDARD_NAMES.has(token)) {
      const known = findScope(token, requestable.scopes ?? SCOPES) ?? isScopeOf(token, requestable.resources ?? []);
      return { ok: false, problem: { cause: known ? "scope_not_allowed" : "scope_unknown", token } };
    }
  }
  return { ok: true, scope: granted.join(" ") };
}
