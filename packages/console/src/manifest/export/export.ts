import { ENVIRONMENTS } from "@gatehouse/auth";
import { clientNames, DEFAULT_CLIENT_NAME } from "../../clients/names.ts";
import type { OperationDeps } from "../../deps.ts";
import { listWebhookSecrets } from "../../webhook-secrets/queries.ts";
import { type Inventory, listInventory } from "../inventory.ts";
import type { ConfiguredApplication } from "../queries.ts";
import { clientEntry, endpointEntry, providerEntry, resourceEntry } from "./entries.ts";
import { type Entry, ordered, text } from "./entry.ts";
import { type VariableNames, variableNames } from "./variable-names.ts";

type Part = Pick<OperationDeps, "db" | "now">;

/**
 * The installation's configuration as a file for `gatehouse apply`: API resources, applications with the clients that
 * admins registered, webhook endpoints and sign-in providers, each in a stable order. People are not part of it, nor
 * are clients that registered themselves, nor logos. In place of each secret it names an environment variable. Applied
 * to an empty installation, it exports as the same text. CO-71.
 */
export async function exportConfiguration(deps: Part): Promise<string> {
  const names = variableNames();
  const { resources, applications, endpoints, providers } = await listInventory(deps);
  const secrets = await listWebhookSecrets(deps.db);
  const file = {
    resources: ordered(resources, ({ id }) => id).map(resourceEntry),
    applications: ordered(applications, ({ application }) => application.name).map((one) =>
      applicationEntry(one, names),
    ),
    webhooks: ordered(endpoints, ({ slug }) => slug).map((endpoint) =>
      endpointEntry(endpoint, secrets, names, deps.now()),
    ),
    sign_in_providers: ordered(providers, ({ id }) => id).map((provider) => providerEntry(provider, names)),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function applicationEntry(
  { application, clients: rows }: Inventory["applications"][number],
  names: VariableNames,
): Entry {
  const { name, description, branding } = application;
  const clients = ordered(clientNames(rows), text);
  const isOnlyClient = clients.length === 0 || (clients.length === 1 && clients[0] === DEFAULT_CLIENT_NAME);
  const environmentsOf = (client: string) =>
    Object.fromEntries(
      ENVIRONMENTS.flatMap((environment) => {
        const row = rows.find((one) => one.name === client && one.environment === environment);
        return row ? [[environment, clientEntry(row, isOnlyClient ? undefined : client, names)]] : [];
      }),
    );
  return {
    name,
    ...(description !== "" && { description }),
    ...(branding && Object.keys(branding).length > 0 && { branding: brandingEntry(branding) }),
    ...(isOnlyClient
      ? { environments: environmentsOf(DEFAULT_CLIENT_NAME) }
      : { clients: clients.map((client) => ({ name: client, environments: environmentsOf(client) })) }),
  };
}

function brandingEntry({
  displayName,
  colour,
  termsUrl,
  privacyUrl,
  supportUrl,
}: NonNullable<ConfiguredApplication["branding"]>): Entry {
  return { display_name: displayName, colour, terms_url: termsUrl, privacy_url: privacyUrl, support_url: supportUrl };
}
