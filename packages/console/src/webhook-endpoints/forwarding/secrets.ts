import { mintTimeOrderedId, secretHint, sha256 } from "@gatehouse/auth";
import { WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db/stores/webhooks/store";
import { mintForwardingSecret } from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import { isRedirected } from "../../secrets/destinations.ts";
import type { WebhookSecretRow } from "../../webhook-secrets/queries.ts";
import { isActiveSecret, isReadable } from "../../webhook-secrets/rows.ts";
import type { EndpointRow } from "../queries.ts";

/** A new secret, to be shown once, and its row. */
export type MintedSecret = { secret: string; row: WebhookSecretRow };

/** Makes a secret that an endpoint's forwarded events are signed with. */
export function mintSecret(
  endpoint: string,
  { now, random, seal }: Pick<OperationDeps, "now" | "random" | "seal">,
): MintedSecret {
  const secret = mintForwardingSecret(random);
  const row: WebhookSecretRow = {
    id: mintTimeOrderedId({ now, random }),
    endpoint,
    kind: "forwarding",
    sealed: seal.seal(WEBHOOK_SECRET_PURPOSE, secret),
    hash: sha256(secret),
    hint: secretHint(secret),
    name: null,
    createdAt: now(),
    expiresAt: null,
    removedAt: null,
    lastMatchedAt: null,
  };
  return { secret, row };
}

type Forwarding = Pick<EndpointRow, "forward" | "environment">;

/**
 * Whether a change of an endpoint needs another secret: its events go to another URL, or there is no secret that can be
 * read. `secrets`: all of the endpoint.
 */
export function needsSecret(
  before: Forwarding | undefined,
  after: Forwarding,
  secrets: readonly WebhookSecretRow[],
  { now, seal }: Pick<OperationDeps, "now" | "seal">,
): boolean {
  if (after.forward === null) return false;
  if (!before || isRedirected("webhook forwarding secret", before, after)) return true;
  return !secrets.some(
    (one) => one.kind === "forwarding" && one.expiresAt === null && isActiveSecret(one, now()) && isReadable(one, seal),
  );
}
