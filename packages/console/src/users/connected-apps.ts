import { describeScopes } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";

/** The apps that a user has allowed, with descriptions of their scopes. */
export async function listConnectedApps(userId: string, deps: Pick<OperationDeps, "store" | "now" | "config">) {
  const apps = await deps.store.listConnectedApps(userId, deps.now());
  return Promise.all(apps.map(async ({ scope, ...app }) => ({ ...app, scopes: await describeScopes(scope, deps) })));
}

/**
 * Deletes the consents and revokes all tokens that the application of this client has for the user in the client's
 * environment. Does nothing if there are none. SE-15.
 */
export async function revokeConnectedApp(
  userId: string,
  clientId: string,
  deps: Pick<OperationDeps, "store" | "now">,
): Promise<void> {
  await deps.store.revokeConnectedApp(userId, clientId, deps.now());
}
