import { toleranceOf } from "../endpoint.ts";
import { createIncoming, type Incoming } from "../incoming.ts";
import type { Adapter, Claim, FetchDeps } from "../providers/adapter.ts";
import { isProvider, PROVIDERS } from "../providers/index.ts";
import type { DeliveryReason } from "../reasons.ts";
import { readClaim } from "../verify.ts";
import { bodyVariants } from "./body-variants.ts";
import { findClockProblem } from "./clock.ts";
import type { Finding, Variant } from "./finding.ts";
import { findOtherProvider } from "./other-provider.ts";
import {
  activeSecrets,
  type CandidateEndpoint,
  mistakenSecrets,
  otherSecrets,
  type SecretChoice,
} from "./secret-variants.ts";
import { createTrials, type Trials } from "./trials.ts";
import { urlVariants } from "./url-variants.ts";

/** A stored delivery. */
export type DeliveryToDiagnose = {
  method: string;
  headers: Readonly<Record<string, string>>;
  /** What is stored of it; null if it was deleted. */
  body: Uint8Array | null;
  /** As received; null if it was not read to its end. */
  bodyBytes: number | null;
  /** Unix seconds. */
  receivedAt: number;
  reason: DeliveryReason;
};

export type Diagnosis = {
  /** Several if all of them together explain the rejection. Empty if none of the known causes does. */
  findings: readonly Finding[];
  /** How many signatures were computed. */
  verifications: number;
  /** Why not everything was tried: the stored body is not whole, or there were too many combinations. */
  limit: "body_not_whole" | "too_many" | null;
};

/**
 * Computes why a delivery was rejected, from what is stored of it. At most 200 signatures are computed. For people who
 * may see the delivery, never for its sender: the findings would help to forge one.
 *
 * `url` is the public URL of the endpoint. `others` are the other endpoints, with their ended secrets too. `deps`
 * fetches PayPal's certificate; everything else is pure.
 */
export async function diagnose(
  delivery: DeliveryToDiagnose,
  own: CandidateEndpoint & { url: string },
  others: readonly CandidateEndpoint[],
  deps: FetchDeps,
): Promise<Diagnosis> {
  const { provider } = own.endpoint;
  if (!isProvider(provider)) return { findings: [], verifications: 0, limit: null };
  const adapter: Adapter = PROVIDERS[provider];
  const request = { method: delivery.method, headers: new Headers(delivery.headers) };
  const body = delivery.body ?? new Uint8Array();
  const incoming = createIncoming({ ...request, body, url: own.url, endpoint: own.endpoint }, adapter);
  const claim = readClaim(incoming, adapter);

  const early = withoutTrials(delivery, claim, own, adapter, incoming.headers);
  if (early) return { findings: early, verifications: 0, limit: null };
  if (delivery.reason !== "signature_mismatch") return { findings: [], verifications: 0, limit: null };
  if (delivery.body === null || delivery.bodyBytes !== body.byteLength)
    return { findings: [], verifications: 0, limit: "body_not_whole" };

  const trials = createTrials(request, own, adapter, deps);
  const found = await search({ body, own, others, adapter, headers: request.headers }, trials);
  const findings =
    found.findings ?? emptyBody(body) ?? (await untrustedCertificate(claim, incoming, adapter, deps)) ?? [];
  return { findings, verifications: trials.count(), limit: found.complete ? null : "too_many" };
}

/** What can be said without computing a signature. */
function withoutTrials(
  { reason, receivedAt }: DeliveryToDiagnose,
  claim: Claim,
  { endpoint }: CandidateEndpoint,
  adapter: Adapter,
  headers: Headers,
): Finding[] | undefined {
  if (reason === "timestamp_too_old" || reason === "timestamp_in_future") {
    const signedAt = claim.kind === "signed" ? claim.timestamp : null;
    return signedAt === null
      ? []
      : [findClockProblem({ signedAt, receivedAt, toleranceSeconds: toleranceOf(adapter, endpoint) })];
  }
  if (claim.kind === "missing") return findOtherProvider(endpoint, headers);
  if (claim.kind !== "malformed" && claim.kind !== "scheme_unknown") return undefined;
  const problem = claim.kind === "malformed" ? claim.problem : `it has only ${claim.schemes.join(", ")}`;
  const unreadable: Finding = {
    kind: "unreadable_signature",
    sentence: `A signature of ${adapter.name} cannot be read from ${adapter.signatureName}: ${problem}.`,
    fix: "If the provider sent it, something on the way changed the header. Otherwise it is not a genuine delivery.",
  };
  return [unreadable, ...findOtherProvider(endpoint, headers)];
}

type Search = {
  body: Uint8Array;
  own: CandidateEndpoint & { url: string };
  others: readonly CandidateEndpoint[];
  adapter: Adapter;
  headers: Headers;
};

/** `complete`: every single change was tried. There are too many combinations to promise the same of them. */
type Found = { findings: Finding[] | undefined; complete: boolean };

/** Tries single changes first, the likely ones before the others, then a changed body or URL with another secret. */
async function search({ body, own, others, adapter, headers }: Search, trials: Trials): Promise<Found> {
  const url = signedUrl(own);
  const sameBody: Variant<Uint8Array> = { value: body, finding: null };
  const sameUrl: Variant<string> = { value: url, finding: null };
  const active = activeSecrets(own);
  const rest = [...otherSecrets(own, others), ...mistakenSecrets(own, adapter)];
  const bodies = bodyVariants(body);
  const urls = signsUrl(adapter, own, body, headers)
    ? urlVariants({ url, hosts: hostsOf(headers), hasSetting: hasUrlSetting(adapter) })
    : [];
  // A match of an active secret is a finding only by itself; with another body the secret is not what is wrong.
  const activeAsIs = active.map(({ value }) => ({ value, finding: null }));

  const single: Stage[] = [
    [active, [sameBody], [sameUrl]],
    [rest, [sameBody], [sameUrl]],
    [activeAsIs, bodies, [sameUrl]],
    [activeAsIs, [sameBody], urls],
  ];
  const combined: Stage[] = [
    [rest, [sameBody], urls],
    [rest, bodies, [sameUrl]],
  ];
  const bySingle = await tryAll(single, trials);
  if (bySingle || trials.isExhausted()) return { findings: bySingle, complete: bySingle !== undefined };
  return { findings: await tryAll(combined, trials), complete: true };
}

type Stage = readonly [readonly Variant<SecretChoice>[], readonly Variant<Uint8Array>[], readonly Variant<string>[]];

/** The findings of the first match. */
async function tryAll(stages: readonly Stage[], trials: Trials): Promise<Finding[] | undefined> {
  for (const [secrets, bodies, urls] of stages) {
    for (const secret of secrets) {
      for (const body of bodies) {
        for (const url of urls) {
          const match = await trials.matches({ secret: secret.value, body: body.value, url: url.value });
          if (match) return [secret, body, url].flatMap(({ finding }) => finding ?? []);
        }
      }
    }
  }
  return undefined;
}

/** The URL that a sender has to sign here. */
function signedUrl({ endpoint, url }: CandidateEndpoint & { url: string }): string {
  const configured = endpoint.settings["notificationUrl"];
  return typeof configured === "string" && configured !== "" ? configured : url;
}

/** Whether the scheme signs the URL of the endpoint. */
function signsUrl(adapter: Adapter, { endpoint }: CandidateEndpoint, body: Uint8Array, headers: Headers): boolean {
  const { notificationUrl: _, ...settings } = endpoint.settings;
  const signedWith = (url: string) => {
    const claim = adapter.readClaim(
      createIncoming({ method: "POST", headers, body, url, endpoint: { ...endpoint, settings } }, adapter),
    );
    return claim.kind === "signed" ? claim.signed.filter((part) => typeof part === "string").join() : "";
  };
  return signedWith("https://one.invalid/") !== signedWith("https://two.invalid/");
}

const hasUrlSetting = ({ settingsFields = [] }: Adapter) =>
  settingsFields.some(({ name }) => name === "notificationUrl");

const hostsOf = (headers: Headers) =>
  [headers.get("host"), headers.get("x-forwarded-host")].filter((host) => host !== null);

/** Whether the provider's own certificate was refused. Undefined too if it cannot be downloaded now. */
async function untrustedCertificate(claim: Claim, incoming: Incoming, { name, fetchKeys }: Adapter, deps: FetchDeps) {
  const [secret] = incoming.endpoint.secrets;
  if (claim.kind !== "signed" || !fetchKeys || !secret) return undefined;
  const keys = await fetchKeys(claim, incoming, secret.value.trim(), deps).catch(() => undefined);
  if (keys === undefined || keys.length > 0) return undefined;
  const finding: Finding = {
    kind: "untrusted_certificate",
    sentence: `The certificate that the delivery names is not one that a public authority issued to ${name} for signing.`,
    fix: `If the delivery is really ${name}'s, update Node: its list of certificate authorities decides. Otherwise it is a forgery.`,
  };
  return [finding];
}

function emptyBody(body: Uint8Array): Finding[] | undefined {
  if (body.byteLength > 0) return undefined;
  const finding: Finding = {
    kind: "empty_body",
    sentence: "The delivery arrived without its body.",
    fix: "Something in front of Gatehouse read the body and did not pass it on: a proxy, a middleware, or a redirect that dropped it.",
  };
  return [finding];
}
