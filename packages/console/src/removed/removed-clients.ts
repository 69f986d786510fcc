import { ENVIRONMENTS, type Environment } from "@gatehouse/auth";
import { RESTORABLE_SECONDS } from "@gatehouse/db/schema/removed-rows";
import type { OperationDeps } from "../deps.ts";
import { findRemoved, findUsedClientId, type RemovedObject } from "./queries.ts";

/** What decides who may restore a client. */
export type RemovedClient = {
  id: string;
  name: string;
  environment: Environment;
  firstParty: boolean;
  resourceServer: boolean;
  options: { resources?: string[] };
};

/**
 * The clients among the rows of a removed object. The rows come from this server, but may be from an earlier version of
 * it.
 */
export function removedClients({ clients }: RemovedObject["rows"]): RemovedClient[] {
  return clients.map(({ id, name, environment, firstParty, resourceServer, options }) => ({
    id: String(id),
    name: String(name),
    // The most protected environment if it is not known.
    environment: ENVIRONMENTS.find((one) => one === environment) ?? "production",
    firstParty: firstParty === true,
    resourceServer: resourceServer === true,
    options: { resources: resourcesOf(options) },
  }));
}

function resourcesOf(options: unknown): string[] {
  const resources: unknown =
    options !== null && typeof options === "object" && "resources" in options ? options.resources : [];
  return Array.isArray(resources) ? resources.map(String) : [];
}

/**
 * Why a client id cannot be registered: it belonged to a client that was removed, and programs and logs may still
 * contain it. Says how to restore that client, if it still can be. Undefined for an id that no client had. CO-44.
 */
export async function usedClientIdProblem(
  id: string,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<string | undefined> {
  const used = await findUsedClientId(db, id);
  if (!used) return undefined;
  const removed = (await findRemoved(db, id, now())) ?? (await findRemoved(db, used.applicationId, now()));
  if (!removed) return `belonged to the client ${used.clientName}, which was removed. Choose another client id`;
  const what =
    removed.kind === "application"
      ? `application ${removed.name}`
      : `client ${removed.name} of ${removed.applicationName}`;
  const until = new Date((removed.removedAt + RESTORABLE_SECONDS) * 1000).toISOString().slice(0, 16).replace("T", " ");
  return `belongs to the ${what}, which was removed. Restore it in the console (Applications, Removed) until ${until} UTC, or choose another client id`;
}
