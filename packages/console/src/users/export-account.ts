import { type AccountRequest, accountEvent, sourceOf } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { findAccount } from "@gatehouse/db/stores/accounts/accounts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { readAccountExport } from "./account-export-queries.ts";
import { listConnectedApps } from "./connected-apps.ts";

/**
 * Everything that is stored about the session's user and is theirs to know, for a JSON file. Names and times of
 * factors, never a secret or a hash. Times are Unix seconds. The caller has required a recent sign-in. RG-10.
 */
export async function exportAccount(
  { user }: ActiveSession,
  request: AccountRequest,
  deps: Pick<OperationDeps, "db" | "people" | "store" | "now" | "random" | "config">,
) {
  const account = await findAccount(deps.db, user.id);
  if (!account) throw new DomainError("not_found", "There is no such user.");
  const event = accountEvent("data_exported", { userId: account.id, source: sourceOf(request) }, deps);
  await deps.people.record({ events: [event] });

  const { passkeys, authenticatorApp, recoveryCodesLeft, identities, events } = await readAccountExport(
    deps.db,
    account.id,
  );
  const sessions = await deps.store.listSessions(account.id, deps.now());
  const apps = await listConnectedApps(account.id, deps);
  const { id, email, name, role, createdAt, emailVerifiedAt, locale, passwordSetAt } = account;
  return {
    exportedAt: deps.now(),
    profile: { id, email, emailVerifiedAt, name, role, locale, createdAt },
    signInMethods: { passwordSetAt, passkeys, authenticatorApp, recoveryCodesLeft, identities },
    sessions: sessions.map(({ id, method, acr, userAgent, address, createdAt, lastSeenAt, expiresAt }) => ({
      id,
      method,
      acr,
      userAgent,
      address,
      createdAt,
      lastSeenAt,
      expiresAt,
    })),
    apps: apps.map(({ applicationName, environment, clients, scopes, allowedAt, lastUsedAt }) => ({
      applicationName,
      environment,
      clients,
      allowedAt,
      lastUsedAt,
      scopes: scopes.map((scope) => scope.name),
    })),
    events,
  };
}
