import type { OperationDeps } from "../deps.ts";
import { listClientsOfResource } from "./queries.ts";

const COUNTED = 1_000;
const SHOWN = 10;

/**
 * Which clients can request tokens for a resource, and how many of them each of its scopes: who loses access if it
 * goes. CO-37.
 */
export async function resourceUsage(id: string, { reads }: Pick<OperationDeps, "reads">) {
  const found = await listClientsOfResource(reads, id, COUNTED + 1);
  const holders = found.filter(({ options }) => options.resources?.includes(id));
  const counted = holders.slice(0, COUNTED);
  const scopes: Record<string, number> = {};
  for (const name of counted.flatMap((client) => client.scopes)) scopes[name] = (scopes[name] ?? 0) + 1;
  return {
    clients: counted.length,
    more: holders.length > COUNTED,
    /** How many of those counted are of production. */
    inProduction: counted.filter(({ environment }) => environment === "production").length,
    first: counted.slice(0, SHOWN).map(({ clientId, name, environment, applicationId, applicationName }) => ({
      clientId,
      name,
      environment,
      applicationId,
      applicationName,
    })),
    scopes,
  };
}
