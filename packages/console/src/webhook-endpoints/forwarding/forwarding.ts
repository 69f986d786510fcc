import type { WriteQuery } from "@gatehouse/db/query/db";
import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { DomainError, invalid } from "../../domain-error.ts";
import type { Author } from "../../permissions.ts";
import { forwardingSecretsEnd, listWebhookSecrets, webhookSecretWrite } from "../../webhook-secrets/queries.ts";
import { assertMayConfigure, auditName, changeEndpoint } from "../endpoints.ts";
import { endpointUnchanged, findEndpointRow } from "../queries.ts";
import { type EndpointView, endpointToChange } from "../view.ts";
import { type ForwardDraft, forwardProblems, toForward } from "./rules.ts";
import { mintSecret, needsSecret } from "./secrets.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "seal" | "config">;

/** `secret`: the one that was made, which is not shown again; null if the present one stays, or none is needed. */
export type ForwardingChange = { endpoint: EndpointView; secret: string | null };

/**
 * Sends the accepted events of an endpoint to a URL of the product from now on; null stops that. Another URL gets a
 * secret of its own, and the present one ends: it was made for the other URL. Throws `invalid`, `forbidden`,
 * `stale_sign_in` in production, `not_found`, and `conflict` if the endpoint has another `version`. PK-56.
 */
export async function setForwarding(
  { slug, version, forward: draft }: { slug: string; version?: number | undefined; forward: ForwardDraft | null },
  actor: Author,
  deps: Part,
): Promise<ForwardingChange> {
  const { endpoint, stored } = await endpointToChange(slug, deps);
  const forward = draft && toForward(draft);
  const problems = forward ? forwardProblems(forward, { ...endpoint, config: deps.config }) : [];
  if (problems.length > 0) throw invalid(problems);
  const before = stored ? endpoint : undefined;
  const secrets = await listWebhookSecrets(deps.db, slug);
  const minted = needsSecret(before, { ...endpoint, forward }, secrets, deps) ? mintSecret(slug, deps) : undefined;
  const entry = { action: "webhook_endpoint.update" as const, detail: minted ? { secret: `…${minted.row.hint}` } : {} };
  const changed = await changeEndpoint(slug, { forward }, { ...entry, version, minted }, actor, deps);
  return { endpoint: changed, secret: minted?.secret ?? null };
}

/** How long the old secret signs as well, unless the caller says otherwise. */
const OVERLAP_SECONDS = 86_400;

/**
 * Makes another secret for the forwarded events of an endpoint. Until the old one ends, they are signed with both, so a
 * product that knows either accepts them. Throws `forbidden`, `stale_sign_in` in production, `not_found`, and
 * `conflict` if the endpoint does not forward, or was changed meanwhile. PK-56.
 */
export async function rotateForwardingSecret(
  { slug, overlapSeconds = OVERLAP_SECONDS }: { slug: string; overlapSeconds?: number | undefined },
  actor: Author,
  deps: Part,
): Promise<{ secret: string; oldEndsAt: number }> {
  const { db, now } = deps;
  const endpoint = await findEndpointRow(db, slug);
  if (!endpoint) throw new DomainError("not_found", `There is no webhook endpoint ${slug}.`);
  assertMayConfigure(actor, [endpoint.environment], now());
  if (endpoint.forward === null)
    throw new DomainError("conflict", "This endpoint does not forward its events, so there is no secret to rotate.");
  const { secret, row } = mintSecret(slug, deps);
  const oldEndsAt = now() + overlapSeconds;
  const about = { object: slug, objectName: auditName(endpoint), environment: endpoint.environment };
  const detail = { secret: `…${row.hint}`, old_ends_at: oldEndsAt };
  const writes: WriteQuery[] = [
    ...forwardingSecretsEnd(db, { endpoint: slug, endsAt: oldEndsAt }, now()),
    webhookSecretWrite(db, { row, change: {} }),
    auditWrite(actor, { action: "webhook_endpoint.rotate_forwarding_secret", ...about, detail }, deps),
  ];
  if (!(await db.guarded(endpointUnchanged(db, endpoint), writes)))
    throw new DomainError(
      "conflict",
      "The endpoint was changed by somebody else at the same time. Look at it, then try again.",
    );
  return { secret, oldEndsAt };
}
