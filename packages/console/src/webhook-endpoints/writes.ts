import type { Hash } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import type { OperationDeps } from "../deps.ts";
import { isRedirected } from "../secrets/destinations.ts";
import { webhookSecretsRemoval } from "../webhook-secrets/queries.ts";
import { type EndpointAsRead, type EndpointChange, type EndpointRow, endpointUpdate } from "./queries.ts";

/**
 * `before`: the endpoint as it was read. `keep`: API keys that who makes the change has entered for the new address.
 */
type EndpointEdit = {
  before: EndpointRow;
  change: EndpointChange;
  keep?: readonly Hash[];
  activeSecrets?: EndpointAsRead["activeSecrets"];
};

/**
 * The writes that change a stored endpoint: `first` returns no row if the endpoint, or its secrets where they are
 * given, are not as they were read. `ended` ends the API keys that would go to another address: otherwise somebody who
 * cannot read a key could have it sent to a server of their own. Nothing else writes an endpoint's settings.
 */
export function endpointWrites(
  { before, change, keep = [], activeSecrets }: EndpointEdit,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): { first: WriteQuery; ended: WriteQuery[] } {
  const { slug, environment, version } = before;
  const redirected = isRedirected("webhook API key", before, { ...before, ...change });
  return {
    first: endpointUpdate(db, slug, change, { environment, version, activeSecrets }),
    ended: redirected ? [webhookSecretsRemoval(db, { endpoint: slug, kind: "api_key", keep }, now())] : [],
  };
}
