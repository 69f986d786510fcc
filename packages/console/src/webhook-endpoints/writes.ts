import type { Hash } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import type { OperationDeps } from "../deps.ts";
import { isRedirected } from "../secrets/destinations.ts";
import { webhookSecretsRemoval, webhookSecretWrite } from "../webhook-secrets/queries.ts";
import type { MintedSecret } from "./forwarding/secrets.ts";
import { type EndpointAsRead, type EndpointChange, type EndpointRow, endpointUpdate } from "./queries.ts";

/**
 * `before`: the endpoint as it was read. `keep`: API keys that who makes the change has entered for the new address.
 */
type EndpointEdit = {
  before: EndpointRow;
  change: EndpointChange;
  keep?: readonly Hash[];
  /** The secret that was made for the new URL that events are forwarded to. */
  minted?: MintedSecret | undefined;
  activeSecrets?: EndpointAsRead["activeSecrets"];
};

/**
 * The writes that change a stored endpoint: `first` returns no row if the endpoint, or its secrets where they are
 * given, are not as they were read. `others` ends the API keys that would go to another address: otherwise somebody who
 * cannot read a key could have it sent to a server of their own. They also replace the forwarding secret where events go
 * to another URL. Nothing else writes an endpoint's settings.
 */
export function endpointWrites(
  { before, change, keep = [], minted, activeSecrets }: EndpointEdit,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): { first: WriteQuery; others: WriteQuery[] } {
  const { slug, environment, version } = before;
  const after = { ...before, ...change };
  const redirected = isRedirected("webhook API key", before, after);
  const forwardedElsewhere = minted !== undefined || isRedirected("webhook forwarding secret", before, after);
  return {
    first: endpointUpdate(db, slug, change, { environment, version, activeSecrets }),
    others: [
      ...(redirected ? [webhookSecretsRemoval(db, { endpoint: slug, kind: "api_key", keep }, now())] : []),
      ...(forwardedElsewhere
        ? [webhookSecretsRemoval(db, { endpoint: slug, kind: "forwarding", keep: [] }, now())]
        : []),
      ...(minted ? [webhookSecretWrite(db, { row: minted.row, change: {} })] : []),
    ],
  };
}
