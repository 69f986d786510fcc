import {
  type Algorithm,
  type Claim,
  createIncoming,
  type DeliveryReason,
  type Incoming,
  toleranceOf,
} from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import { listWebhookSecrets, type WebhookSecretRow } from "../../webhook-secrets/queries.ts";
import type { OpenedDelivery } from "./opened-delivery.ts";

const ALGORITHMS: Record<Algorithm, string> = {
  "hmac-sha1": "HMAC-SHA1",
  "hmac-sha256": "HMAC-SHA256",
  "hmac-sha512": "HMAC-SHA512",
  ed25519: "Ed25519",
  "rsa-sha256": "RSA-SHA256",
};

const UNREADABLE: ReadonlySet<DeliveryReason> = new Set(["signature_malformed", "signature_scheme_unknown"]);

/** Rejected before any secret was tried. */
const UNTRIED: ReadonlySet<DeliveryReason> = new Set([
  ...([
    "signature_missing",
    "signature_malformed",
    "signature_scheme_unknown",
    "secret_not_configured",
    "secret_unreadable",
  ] as const),
  ...([
    "provider_disabled",
    "method_not_allowed",
    "content_type_unsupported",
    "payload_too_large",
    "provider_unreachable",
  ] as const),
]);

/** How the signature of a delivery was checked. Contains no secret and no expected signature. */
export async function describeSignature(opened: OpenedDelivery, { db, config }: Pick<OperationDeps, "db" | "config">) {
  const { row, adapter, settings } = opened;
  const secrets = (await listWebhookSecrets(db, row.endpoint)).filter(
    (secret) => secret.kind !== "forwarding" && wasActive(secret, row.receivedAt),
  );
  const incoming = incomingOf(opened, config.issuer);
  const claim = adapter?.readClaim(incoming);
  return {
    where: adapter?.signatureName ?? "the signature",
    algorithms:
      claim?.kind === "signed" ? [...new Set(claim.signatures.map(({ algorithm }) => ALGORITHMS[algorithm]))] : [],
    problem: UNREADABLE.has(row.reason) ? problemOf(claim) : null,
    signedAt: row.skewSeconds === null ? null : row.receivedAt + row.skewSeconds,
    skewSeconds: row.skewSeconds,
    toleranceSeconds: adapter ? toleranceOf(adapter, { settings }) : null,
    secrets: resultsOf(secrets, row),
  };
}

/**
 * The delivery as its adapter saw it. Its body is empty after retention deleted it, and incomplete if it was rejected.
 */
export function incomingOf(
  { row, adapter, provider, environment, settings }: OpenedDelivery,
  issuer: string,
): Incoming {
  const endpoint = {
    slug: row.endpoint,
    provider,
    environment,
    enabled: true,
    settings,
    secrets: [],
    apiKeys: [],
    unreadableSecrets: 0,
  };
  const { method, headers, body } = row;
  const url = `${issuer}/api/webhooks/${row.endpoint}`;
  return createIncoming(
    { method, headers: new Headers(headers), body: body ?? new Uint8Array(), url, endpoint },
    adapter ?? {},
  );
}

/** Secrets are swept some time after their end, so an old delivery can miss one. */
function wasActive({ kind, createdAt, expiresAt, removedAt }: WebhookSecretRow, at: number): boolean {
  return (
    kind === "signing" &&
    createdAt <= at &&
    (expiresAt === null || expiresAt > at) &&
    (removedAt === null || removedAt > at)
  );
}

/** The receiver tries secrets in this order and stops at the first match. */
function resultsOf(
  secrets: readonly WebhookSecretRow[],
  { secretId, reason }: Pick<OpenedDelivery["row"], "secretId" | "reason">,
) {
  const matched = secrets.findIndex(({ id }) => id === secretId);
  return secrets.map(({ id, name, hint, createdAt, expiresAt, removedAt }, place) => {
    const tried = !UNTRIED.has(reason) && (matched < 0 || place <= matched);
    const result = place === matched ? ("matched" as const) : tried ? ("no_match" as const) : ("not_tried" as const);
    return { id, name, hint, result, createdAt, endsAt: expiresAt ?? removedAt };
  });
}

function problemOf(claim: Claim | undefined): string | null {
  if (claim?.kind === "malformed") return claim.problem;
  return claim?.kind === "scheme_unknown" ? `it has only ${claim.schemes.join(", ")}` : null;
}
