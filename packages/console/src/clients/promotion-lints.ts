import { type Config, findScope, isFirstPartyKind, scopesOf } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import type { ClientRow } from "./queries.ts";
import { clientUse, scopeUse } from "./usage-queries.ts";

/** Something about a promotion to look at twice. `path` names the field: "redirectUris". */
export type PromotionLint = { path: string; message: string };

const DAY = 86_400;
const RECENT_DAYS = 30;

/**
 * What is worth a second look before the settings of `source` apply in the target environment. Reads 30 days of counts.
 * CO-24.
 */
export async function promotionLints(
  source: ClientRow,
  target: ClientRow | undefined,
  { reads, now, config }: Pick<OperationDeps, "reads" | "now"> & { config: Pick<Config, "scopes"> },
): Promise<PromotionLint[]> {
  const today = now() - (now() % DAY);
  const fromDay = today - RECENT_DAYS * DAY;
  const [days, scopes] = await Promise.all([
    clientUse(reads, source.id, fromDay),
    scopeUse(reads, { clientId: source.id, scopes: source.scopes }, fromDay),
  ]);
  const isUsed = days.some(({ metric }) => metric.startsWith("token."));
  return [
    ...httpLints(target),
    ...(source.firstParty ? [{ path: "firstParty", message: "Users skip the consent page." }] : []),
    ...wideScopeLints(source, config),
    ...(isUsed
      ? unusedLints(source, new Set(days.map(({ metric }) => metric)), new Set(scopes.map(({ scope }) => scope)))
      : []),
  ];
}

function httpLints(target: ClientRow | undefined): PromotionLint[] {
  const uris = (target?.redirectUris ?? []).filter((uri) => uri.startsWith("http:"));
  return uris.map((uri) => ({ path: "redirectUris", message: `${uri} uses http.` }));
}

function wideScopeLints({ scopes }: ClientRow, config: Pick<Config, "scopes">): PromotionLint[] {
  const table = scopesOf(config);
  const wide = scopes.filter((name) => {
    const kind = findScope(name, table)?.kind;
    return kind !== undefined && isFirstPartyKind(kind);
  });
  return wide.map((name) => ({
    path: "scopes",
    message: `${name} lets the client act on the user’s account or in this console.`,
  }));
}

/** Only for a client that got tokens lately: without any, its needs are unknown. */
function unusedLints(
  { grantTypes, scopes, environment }: ClientRow,
  metrics: ReadonlySet<string>,
  used: ReadonlySet<string>,
): PromotionLint[] {
  const in30Days = `in 30 days in ${environment}. Does it need it?`;
  return [
    ...grantTypes
      .filter((grant) => !metrics.has(`token.${grant}`))
      .map((grant) => ({ path: "grantTypes", message: `The client got no token by ${grant} ${in30Days}` })),
    ...scopes
      .filter((scope) => !used.has(scope))
      .map((scope) => ({ path: "scopes", message: `The client got no token with ${scope} ${in30Days}` })),
  ];
}
