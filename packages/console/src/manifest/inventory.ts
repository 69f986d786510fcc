import type { SignInProvider } from "@gatehouse/accounts";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import { isBuiltInClient } from "../clients/built-in-clients.ts";
import type { ClientRow } from "../clients/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { listResources, type ResourceView } from "../resources/resources.ts";
import { type EndpointRow, listEndpoints } from "../webhook-endpoints/queries.ts";
import { type ConfiguredApplication, listConfiguredApplications, listConfiguredClients } from "./queries.ts";

const PAGE = 1_000;

/** What a file can describe, besides people. */
export type Inventory = {
  resources: readonly ResourceView[];
  /** Without the applications of Gatehouse itself and of clients that registered themselves. */
  applications: readonly { application: ConfiguredApplication; clients: readonly ClientRow[] }[];
  endpoints: readonly EndpointRow[];
  providers: readonly SignInProvider[];
};

/** Everything that admins registered, read page by page. */
export async function listInventory(deps: Pick<OperationDeps, "db">): Promise<Inventory> {
  const resources = await listResources(deps);
  const applications = await everyPage((page) => listConfiguredApplications(deps.db, page));
  const clients = await everyPage((page) => listConfiguredClients(deps.db, page));
  return {
    resources,
    applications: configured(applications, clients),
    endpoints: await listEndpoints(deps.db),
    providers: await listSignInProviders(deps.db),
  };
}

function configured(
  applications: readonly ConfiguredApplication[],
  clients: readonly ClientRow[],
): Inventory["applications"] {
  const byApplication = new Map<string, ClientRow[]>();
  for (const row of clients)
    byApplication.set(row.applicationId, [...(byApplication.get(row.applicationId) ?? []), row]);
  return applications
    .map((application) => ({ application, clients: byApplication.get(application.id) ?? [] }))
    .filter((one) => one.clients.every(({ id, origin }) => origin === "registered" && !isBuiltInClient(id)));
}

async function everyPage<Row extends { id: string }>(
  read: (page: { after: string; limit: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? "", limit: PAGE });
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}
