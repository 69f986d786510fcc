import { describeScopes } from "@gatehouse/auth";
import type { ApiDeps } from "../deps.ts";

/** The apps a user has allowed, with their scopes in words. */
export async function listConnectedApps(userId: string, deps: Pick<ApiDeps, "store" | "now" | "config">) {
  const apps = await deps.store.listConnectedApps(userId, deps.now());
  return Promise.all(apps.map(async ({ scope, ...app }) => ({ ...app, scopes: await describeScopes(scope, deps) })));
}

/** Forgets the consent and kills every token of this user's at this client. Nothing to do is no error. */
export async function revokeConnectedApp(userId: string, clientId: string, deps: Pick<ApiDeps, "store" | "now">): Promise<void> {
  await deps.store.revokeConnectedApp(userId, clientId, deps.now());
}
