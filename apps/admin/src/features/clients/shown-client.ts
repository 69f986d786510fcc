import type { Filters, FilterValues } from "@gatehouse/console/lists/filter";
import { environmentNames } from "@/components/environments.tsx";
import type { Application } from "@/trpc/types.ts";
import { clientNamesOf } from "./client-names.ts";

/** Which client of an application its page shows, and in which environment, in the URL. */
export const SHOWN_CLIENT = {
  client: { kind: "text", maxLength: 40 },
  environment: { kind: "choice", values: environmentNames },
} as const satisfies Filters;

/**
 * What an application's page shows. `name` and `environment` are those in the URL; without them, the first client and
 * the earliest environment in which it is registered. `clients`: the client in every environment; `client`: the one
 * that is shown, if it is registered.
 */
export function shownClient(application: Application, { client, environment }: FilterValues<typeof SHOWN_CLIENT>) {
  const name = client ?? clientNamesOf(application)[0] ?? "Main";
  const clients = application.clients.filter((one) => one.name === name);
  const shown = environment ?? clients[0]?.environment ?? "development";
  return { name, environment: shown, clients, client: clients.find((one) => one.environment === shown) };
}
