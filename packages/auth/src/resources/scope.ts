import type { Config } from "../deps.ts";

/** A scope as users and admins read it. */
export type ScopeDefinition = {
  /** Completes "This will let it …". */
  description: string;
  /** `identity`: OpenID Connect's names · `api`: our protected resource · `account` and `console`: first-party clients only. */
  kind: "identity" | "api" | "account" | "console";
};

/** Scopes by name. */
export type ScopeTable = Readonly<Record<string, ScopeDefinition>>;

/** The scopes that Gatehouse defines. A product adds its own through `Config.scopes`. */
export const SCOPES = {
  openid: { description: "confirm who you are", kind: "identity" },
  profile: { description: "see your name", kind: "identity" },
  email: { description: "see your e-mail address", kind: "identity" },
  address: { description: "see your postal address", kind: "identity" },
  phone: { description: "see your phone number", kind: "identity" },
  offline_access: { description: "keep access while you are away", kind: "identity" },
  "api:read": { description: "read your data through the API", kind: "api" },
  "api:write": { description: "change your data through the API", kind: "api" },
  "account:read": { description: "see where you are signed in and which apps you allowed", kind: "account" },
  "account:write": { description: "end your sessions and the access of apps", kind: "account" },
  "console:read": { description: "look at applications, users and deliveries", kind: "console" },
  "console:write": { description: "manage applications, users and deliveries", kind: "console" },
} as const satisfies ScopeTable;

export type ScopeName = keyof typeof SCOPES;

/** Every scope of this installation, except those of registered resources. */
export function scopesOf({ scopes = SCOPES }: Pick<Config, "scopes">): ScopeTable {
  return scopes;
}

/** OAuth 2.1 §1.4.1: visible ASCII without quote and backslash, split by single spaces. */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** OpenID Connect's standard scopes: dropped without an error for a client that is not registered for them. CF-13. */
const STANDARD_NAMES: ReadonlySet<string> = new Set(
  Object.entries(SCOPES).flatMap(([name, { kind }]) => (kind === "identity" ? [name] : [])),
);

/** The definition of a scope; undefined for a name that is not in the table. */
export function findScope(name: string, table: ScopeTable): ScopeDefinition | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Splits a scope parameter into its distinct tokens, in the order sent.
 * Returns undefined when it breaks the grammar of OAuth 2.1 §1.4.1 (AZ-15).
 */
export function parseScope(scope: string): string[] | undefined {
  const tokens = scope.split(" ");
  return tokens.every((token) => SCOPE_TOKEN.test(token)) ? [...new Set(tokens)] : undefined;
}

/** The tokens of a stored scope, which may be empty. */
export function scopeTokens(scope: string): string[] {
  return scope.split(" ").filter((token) => token !== "");
}

/** Is every token of `asked` in `held`? Both space-separated; no scope implies another. */
export function isSubsetScope(asked: string, held: string): boolean {
  const tokens = new Set(scopeTokens(held));
  return scopeTokens(asked).every((token) => tokens.has(token));
}

/** Both scopes together, each token once. */
export function mergeScopes(a: string, b: string): string {
  return [...new Set([...scopeTokens(a), ...scopeTokens(b)])].join(" ");
}

type ScopedClient = { scopes: readonly string[]; firstParty: boolean };
/** What a client may ask tokens for; each brings scopes of its own. */
type Scoped = { scopes: readonly { name: string }[] };
/** The scopes that exist for a client: the installation's, and those of the resources it may ask tokens for. */
type Offer = { scopes?: ScopeTable; resources?: readonly Scoped[] };

/** Are scopes of this kind for first-party clients only? */
export function isFirstPartyKind(kind: ScopeDefinition["kind"]): boolean {
  return kind === "console" || kind === "account";
}

/** May this client hold this scope? Those of the account and the console are for first-party clients only, whatever is registered. */
export function mayHoldScope(client: ScopedClient, name: string, { scopes = SCOPES, resources = [] }: Offer = {}): boolean {
  if (!client.scopes.includes(name)) return false;
  const own = findScope(name, scopes);
  return own ? client.firstParty || !isFirstPartyKind(own.kind) : isScopeOf(name, resources);
}

function isScopeOf(name: string, resources: readonly Scoped[]): boolean {
  return resources.some(({ scopes }) => scopes.some((scope) => scope.name === name));
}

/** What a client gets that asks for nothing: everything it may hold at the APIs, nothing of identity, the account or the console. AZ-14. */
export function defaultScope(client: ScopedClient, offer: Offer = {}): string {
  const isApis = (name: string) => (findScope(name, offer.scopes ?? SCOPES)?.kind ?? "api") === "api";
  return client.scopes.filter((name) => isApis(name) && mayHoldScope(client, name, offer)).join(" ");
}

/** Why a scope parameter was refused, and the token at fault where there is one. */
export type ScopeProblem = { cause: "scope_malformed" | "scope_unknown" | "scope_not_allowed"; token: string | null };

export type ScopeResult = { ok: true; scope: string } | { ok: false; problem: ScopeProblem };

/**
 * The scope a client gets for what it asked: its default when it asked for nothing, otherwise the tokens asked.
 * OpenID Connect's standard names are dropped where the client is not registered for them (CF-13);
 * any other unknown or unallowed token is a problem, also one of a resource that is not in `resources`, which the caller answers with `invalid_scope` (AZ-16).
 */
export function resolveScope(asked: string | undefined, client: ScopedClient, offer: Offer = {}): ScopeResult {
  if (asked === undefined) return { ok: true, scope: defaultScope(client, offer) };
  const tokens = parseScope(asked);
  if (!tokens) return { ok: false, problem: { cause: "scope_malformed", token: null } };

  const granted: string[] = [];
  for (const token of tokens) {
    if (mayHoldScope(client, token, offer)) granted.push(token);
    else if (!STANDARD_NAMES.has(token)) {
      const known = findScope(token, offer.scopes ?? SCOPES) ?? isScopeOf(token, offer.resources ?? []);
      return { ok: false, problem: { cause: known ? "scope_not_allowed" : "scope_unknown", token } };
    }
  }
  return { ok: true, scope: granted.join(" ") };
}
