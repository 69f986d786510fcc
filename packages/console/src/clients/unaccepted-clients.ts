import {
  type ClientOptions,
  ENVIRONMENTS,
  type Environment,
  findScope,
  ownApiEnvironments,
  resourceEnvironments,
  scopesOf,
} from "@gatehouse/auth";
import { listResources } from "@gatehouse/db/stores/auth/api-resources";
import type { OperationDeps } from "../deps.ts";
import { listEnabledClients } from "./queries.ts";

/** A client that is registered for an API which does not accept tokens of its environment. */
export type UnacceptedClient = {
  clientId: string;
  applicationName: string;
  environment: Environment;
  /** Id of the API. */
  api: string;
  /** The environments that the API accepts. */
  accepted: readonly Environment[];
};

type Api = {
  id: string;
  accepted: readonly Environment[];
  wantedBy: (client: { scopes: string[]; options: ClientOptions }) => boolean;
};

const PAGE = 500;

/**
 * Enabled clients that an admin registered for an API which rejects their environment: none of their requests to it can
 * succeed. At most `most`, ordered by client id, with one entry per client and API.
 */
export async function findUnacceptedClients(
  deps: Pick<OperationDeps, "db" | "config">,
  most: number,
): Promise<UnacceptedClient[]> {
  const apis = await listApis(deps);
  const environments = ENVIRONMENTS.filter((environment) =>
    apis.some(({ accepted }) => !accepted.includes(environment)),
  );
  const found: UnacceptedClient[] = [];
  for (let after = ""; environments.length > 0 && found.length < most; ) {
    const page = await listEnabledClients(deps.db, { environments, after, limit: PAGE });
    for (const client of page) {
      const { id: clientId, applicationName, environment } = client;
      const refusing = apis.filter((api) => !api.accepted.includes(environment) && api.wantedBy(client));
      found.push(
        ...refusing.map(({ id, accepted }) => ({ clientId, applicationName, environment, api: id, accepted })),
      );
    }
    const last = page[PAGE - 1];
    if (!last) break;
    after = last.id;
  }
  return found.slice(0, most);
}

async function listApis({ db, config }: Pick<OperationDeps, "db" | "config">): Promise<Api[]> {
  const table = scopesOf(config);
  const ours = {
    id: config.resource,
    accepted: ownApiEnvironments(config),
    wantedBy: ({ scopes }: { scopes: string[] }) =>
      scopes.some((name) => (findScope(name, table)?.kind ?? "identity") !== "identity"),
  };
  const registered = (await listResources(db)).map((resource) => ({
    id: resource.id,
    accepted: resourceEnvironments(resource, config),
    wantedBy: ({ options }: { options: ClientOptions }) => options.resources?.includes(resource.id) ?? false,
  }));
  return [ours, ...registered];
}
