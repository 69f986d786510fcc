import { createHash } from "node:crypto";
import { BODY_SECONDS } from "@gatehouse/net";
import { received, refused, unavailable, unknownProvider } from "./answer.ts";
import { parseJson, readBody } from "./body.ts";
import { describeHit, type Hit, logRefusal, type ReceiveDeps, startHit } from "./hit.ts";
import type { Claim, EventIdentity } from "./providers/adapter.ts";
import { isProvider, PROVIDERS } from "./providers/index.ts";
import type { DeliveryReason } from "./reasons.ts";
import { findSigner, usableSecrets } from "./verify.ts";

type Verdict =
  | { reason: "accepted"; identity: EventIdentity; dedupeKey: string }
  | { reason: Exclude<DeliveryReason, "accepted" | "duplicate">; detail?: string };

/**
 * Receives one delivery: `POST /api/webhooks/<provider>`.
 *
 * Responds with 200 once the delivery is committed, new or not; with 4xx if the sender has to change something; with 503 if we have
 * to (no readable secret, store down), so that the sender retries. Never rejects. Every hit on a known provider is logged, rejected
 * ones within limits. The order of the checks matters: a delivery without a signature is reported as such even if no secret is
 * configured.
 */
export async function receive(
  request: Request,
  provider: string,
  deps: ReceiveDeps,
  caller: { address: string | null },
): Promise<Response> {
  try {
    if (!isProvider(provider)) {
      // The caller can invent any number of slugs, so all unknown ones share a count.
      await attempt(deps.store.countOverflow("unknown", "provider_unknown", deps.now()), deps);
      return unknownProvider(Object.keys(PROVIDERS));
    }
    const hit = startHit(request, provider, deps, caller.address);
    const verdict = await judge(hit, deps);
    if (verdict.reason !== "accepted") {
      await attempt(logRefusal(hit, verdict.reason, deps), deps);
      return refused(verdict.reason, verdict.detail, hit.id);
    }
    const isNew = await deps.store.acceptDelivery(describeHit(hit, "accepted", verdict.identity, deps), verdict.dedupeKey);
    return received(isNew ? "accepted" : "duplicate", hit.id);
  } catch (error) {
    report(error, deps);
    return unavailable();
  }
}

async function judge(hit: Hit, deps: ReceiveDeps): Promise<Verdict> {
  const { adapter, request } = hit;
  if (request.method !== "POST") return { reason: "method_not_allowed" };

  const settings = await deps.store.findProvider(hit.provider);
  if (settings?.enabled === false) return { reason: "provider_disabled" };

  const body = await readBody(request);
  hit.body = body;
  if (body.kind === "too_large") return { reason: "payload_too_large" };
  if (body.kind === "incomplete") return { reason: "unparsable", detail: "it ended early" };
  if (body.kind === "late") return { reason: "unparsable", detail: `it took longer than ${BODY_SECONDS} s to arrive` };

  const claim = adapter.readClaim(request.headers);
  if (claim.kind === "missing") return { reason: "signature_missing", detail: `the ${adapter.signatureHeader} header is missing` };
  if (!isPlainJson(request.headers)) return { reason: "content_type_unsupported" };
  if (claim.kind === "malformed") return { reason: "signature_malformed", detail: claim.problem };
  if (claim.kind === "scheme_unknown") return { reason: "signature_scheme_unknown", detail: `it has only ${claim.schemes.join(", ")}` };
  hit.skewSeconds = claim.timestamp - hit.receivedAt;

  const secrets = usableSecrets(adapter, settings?.secrets ?? []);
  if (secrets.length === 0) return { reason: settings?.unreadableSecrets ? "secret_unreadable" : "secret_not_configured" };
  const signer = findSigner(claim, body.bytes, secrets);
  if (signer === undefined) return { reason: "signature_mismatch" };
  hit.secretId = signer;

  return judgeTime(claim, hit) ?? judgePayload(body.bytes, hit);
}

/** Checks both sides of the window: a timestamp in the future would stay replayable until then. */
function judgeTime(claim: Claim & { kind: "signed" }, { adapter, receivedAt }: Hit): Verdict | undefined {
  const skew = claim.timestamp - receivedAt;
  const allowed = adapter.toleranceSeconds;
  if (skew < -allowed) return { reason: "timestamp_too_old", detail: `${-skew} s ago, ${allowed} s are allowed` };
  if (skew > allowed) return { reason: "timestamp_in_future", detail: `${skew} s ahead of our clock, ${allowed} s are allowed` };
  return undefined;
}

/** Accepts any JSON that the sender signed, of known type or not, object or not. */
function judgePayload(bytes: Uint8Array, { adapter, request }: Hit): Verdict {
  const parsed = parseJson(bytes);
  if (!parsed) return { reason: "unparsable" };
  const identity = adapter.identify(request.headers, parsed.payload);
  const dedupeKey = identity.id === null ? `body:${createHash("sha256").update(bytes).digest("base64url")}` : `id:${identity.id}`;
  return { reason: "accepted", identity, dedupeKey };
}

function isPlainJson(headers: Headers): boolean {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  return type === "application/json" && (encoding === "identity" || encoding === "");
}

/** A rejection stands even if it could not be logged. */
async function attempt(write: Promise<void>, deps: ReceiveDeps): Promise<void> {
  try {
    await write;
  } catch (error) {
    report(error, deps);
  }
}

function report(error: unknown, deps: ReceiveDeps): void {
  (deps.report ?? console.error)(error);
}
