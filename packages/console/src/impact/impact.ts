import { scopeTokens, sha256 } from "@gatehouse/auth";
import { findApplication } from "../applications/queries.ts";
import { type ClientRow, findClientRow, listClientRows } from "../clients/queries.ts";
import { listClientSecrets } from "../clients/secret-queries.ts";
import { clientTotals, lastTokens, scopeUse, uriUse } from "../clients/usage-queries.ts";
import { type LastSecret, lastSecretOf } from "../clients/view.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { applicationRemoval, type ClientChange, type ClientImpact, type Count, consequences } from "./consequences.ts";
import { listLiveGrants } from "./queries.ts";

type Part = Pick<OperationDeps, "reads" | "now">;

const COUNTED = 1_000;
const DAYS_30 = 30 * 86_400;

/**
 * What a change would take from a client's users: how many lose access, how much it was used in the last 30 days, what
 * happens at once and what later. Changes nothing. Throws `not_found` for an unknown client or secret. CO-37.
 */
export async function getClientImpact(clientId: string, change: ClientChange, deps: Part): Promise<ClientImpact> {
  const client = await findClientRow(deps.reads, clientId);
  if (!client) throw new DomainError("not_found", "There is no such client.");
  const lastSecret = await lostSecret(client, change, deps);
  const [counts, tokens, signIns30d] = await Promise.all([
    countLosers(client, change, lastSecret, deps),
    lastTokens(deps.reads, [clientId]),
    countUses(clientId, change, deps),
  ]);
  return {
    ...counts,
    lastTokenAt: tokens[0]?.lastTokenAt ?? null,
    signIns30d,
    ...consequences(client, change, lastSecret),
  };
}

/**
 * The same for the removal of an application with all its clients. At most 1,000 users are counted: the clients after
 * that are not examined. Throws `not_found`.
 */
export async function getApplicationImpact(id: string, deps: Part): Promise<ClientImpact> {
  const { reads, now } = deps;
  if (!(await findApplication(reads, id))) throw new DomainError("not_found", "There is no such application.");
  const clients = (await listClientRows(reads, id)).map((client) => client.id);
  const [tokens, totals] = await Promise.all([
    lastTokens(reads, clients),
    clientTotals(reads, clients, now() - DAYS_30),
  ]);
  const users = new Set<string>();
  let [grants, more] = [0, false];
  for (const clientId of clients) {
    if (users.size > COUNTED) break;
    const live = await listLiveGrants(reads, clientId);
    for (const { userId } of live.grants) users.add(userId);
    grants += live.grants.length;
    more ||= live.more;
  }
  return {
    users: counted(users.size, more),
    grants: counted(grants, more),
    lastTokenAt: tokens.length === 0 ? null : Math.max(...tokens.map(({ lastTokenAt }) => lastTokenAt)),
    signIns30d: totals.filter(({ metric }) => metric === "sign_in").reduce((sum, { count }) => sum + count, 0),
    ...applicationRemoval(clients.length),
  };
}

async function lostSecret(client: ClientRow, change: ClientChange, { reads, now }: Part): Promise<LastSecret> {
  if (change.kind !== "retire_secret") return null;
  const secrets = await listClientSecrets(reads, [client.id]);
  if (!secrets.some(({ id }) => id === change.secretId)) throw new DomainError("not_found", "There is no such secret.");
  return lastSecretOf(change.secretId, secrets, now());
}

async function countLosers(
  client: ClientRow,
  change: ClientChange,
  lastSecret: LastSecret,
  { reads }: Part,
): Promise<Pick<ClientImpact, "users" | "grants">> {
  // Grants don't record for which APIs they are used.
  if (change.kind === "resources") return { users: null, grants: null };
  if (!endsGrants(change, lastSecret)) return { users: counted(0, false), grants: counted(0, false) };
  const { grants, more } = await listLiveGrants(reads, client.id);
  const lost = change.kind === "scopes" ? grants.filter(({ scope }) => holdsAny(scope, change.removed)) : grants;
  return { users: counted(new Set(lost.map(({ userId }) => userId)).size, more), grants: counted(lost.length, more) };
}

function endsGrants(change: ClientChange, lastSecret: LastSecret): boolean {
  switch (change.kind) {
    case "disable":
    case "remove":
    case "scopes":
      return true;
    case "retire_secret":
      return lastSecret !== null;
    case "grant_types":
      return change.removed.includes("refresh_token");
    default:
      return false;
  }
}

const holdsAny = (scope: string, names: readonly string[]) => scopeTokens(scope).some((name) => names.includes(name));

const counted = (count: number, more: boolean): Count => ({
  count: Math.min(count, COUNTED),
  more: more || count > COUNTED,
});

async function countUses(clientId: string, change: ClientChange, { reads, now }: Part): Promise<number | null> {
  const fromDay = now() - DAYS_30;
  switch (change.kind) {
    case "disable":
    case "remove": {
      const totals = await clientTotals(reads, [clientId], fromDay);
      return totals.find(({ metric }) => metric === "sign_in")?.count ?? 0;
    }
    case "redirect_uris":
      return sum(await uriUse(reads, { clientId, uriHashes: change.removed.map(sha256) }, fromDay));
    case "scopes":
      return sum(await scopeUse(reads, { clientId, scopes: change.removed }, fromDay));
    default:
      return null;
  }
}

const sum = (rows: readonly { uses: number }[]) => rows.reduce((total, { uses }) => total + uses, 0);
