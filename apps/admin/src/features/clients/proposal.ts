"use client";

import { useSearchParams } from "next/navigation";
import { changeQuery } from "@/components/use-filters.ts";
import type { ClientSettings, ClientView, GrantType } from "@/trpc/types.ts";

/** What a failure proposes to change about the client: parameters of the page's URL. */
const PARAMETERS = ["add_redirect_uri", "add_scope", "add_grant_type"] as const;

export type Proposal = {
  /** The settings with the proposal filled in. */
  settings: ClientSettings;
  /**
   * In production, the redirect URI to type by hand: it came with a refused request, which anybody could have sent.
   * Otherwise null.
   */
  toType: string | null;
  /** Its host is new to the application: no client of it has a redirect URI there. */
  newHost: string | null;
};

/** The proposal in the URL; undefined without one. Nothing of it is saved. `clients`: all of the application. CO-27. */
export function useProposal(
  client: ClientView,
  settings: ClientSettings,
  clients: readonly ClientView[],
): Proposal | undefined {
  const query = useSearchParams();
  const [uri, scope, grant] = PARAMETERS.map((name) => query.get(name));
  if (!uri && !scope && !grant) return undefined;
  const known = new Set(clients.flatMap(({ redirectUris }) => redirectUris).map(hostOf));
  const newHost = uri && !known.has(hostOf(uri)) ? hostOf(uri) : null;
  const toType = uri && client.environment === "production" ? uri : null;
  return {
    settings: {
      ...settings,
      redirectUris: uri && toType === null ? withOne(settings.redirectUris, uri) : settings.redirectUris,
      scopes: scope ? withOne(settings.scopes, scope) : settings.scopes,
      grantTypes: grant ? withOne(settings.grantTypes, grant as GrantType) : settings.grantTypes,
    },
    toType,
    newHost,
  };
}

/** Removes the proposal from the URL: it is saved, or discarded. */
export function dropProposal(): void {
  changeQuery(Object.fromEntries(PARAMETERS.map((name) => [name, ""])));
}

const withOne = <Value>(list: readonly Value[], value: Value): Value[] =>
  list.includes(value) ? [...list] : [...list, value];

const hostOf = (uri: string) => /^[^:]+:\/\/([^/?#:]*)/.exec(uri)?.[1] ?? uri;
