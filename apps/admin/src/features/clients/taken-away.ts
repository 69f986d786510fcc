import type { ClientChange, ClientSettings } from "@/trpc/types.ts";

type Compared = Pick<ClientSettings, "redirectUris" | "grantTypes" | "scopes" | "options">;

const LIFETIMES = ["accessTokenSeconds", "refreshIdleSeconds", "refreshAbsoluteSeconds"] as const;

/**
 * What saving `after` over `before` takes away from a client's users, for `clients.impact`: redirect URIs, grants,
 * scopes, APIs, and lifetimes that are shorter or whose default changes. CO-37.
 */
export function takenAway(before: Compared, after: Compared): ClientChange[] {
  const redirectUris = missing(before.redirectUris, after.redirectUris);
  const grantTypes = missing(before.grantTypes, after.grantTypes);
  const scopes = missing(before.scopes, after.scopes);
  const resources = missing(before.options.resources ?? [], after.options.resources ?? []);
  return [
    ...(redirectUris.length > 0 ? [{ kind: "redirect_uris" as const, removed: redirectUris }] : []),
    ...(grantTypes.length > 0 ? [{ kind: "grant_types" as const, removed: grantTypes }] : []),
    ...(scopes.length > 0 ? [{ kind: "scopes" as const, removed: scopes }] : []),
    ...(resources.length > 0 ? [{ kind: "resources" as const, removed: resources }] : []),
    ...(LIFETIMES.some((name) => mayShorten(before.options[name], after.options[name]))
      ? [{ kind: "lifetimes" as const }]
      : []),
  ];
}

const missing = <Item>(before: readonly Item[], after: readonly Item[]): Item[] =>
  before.filter((item) => !after.includes(item));

/** The default, undefined, depends on the client's type, so a change from or to it may shorten. */
function mayShorten(before: number | undefined, after: number | undefined): boolean {
  if (before === after) return false;
  return before === undefined || after === undefined || after < before;
}
