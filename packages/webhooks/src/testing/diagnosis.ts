import { expect } from "vitest";
import { type DeliveryToDiagnose, diagnose } from "../diagnosis/diagnose.ts";
import type { CandidateEndpoint, CandidateSecret } from "../diagnosis/secret-variants.ts";
import { MAX_VERIFICATIONS } from "../diagnosis/trials.ts";
import type { EndpointSettings } from "../endpoint.ts";
import type { Adapter } from "../providers/adapter.ts";
import { isProvider, PROVIDERS } from "../providers/index.ts";
import type { DeliveryReason } from "../reasons.ts";
import { SENDER, UNREACHABLE_PROVIDERS } from "./outbound.ts";
import { NOW } from "./scene.ts";

export const SECRET = "whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oDD";
export const OTHER = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const BODY = '{"id":"evt_1","type":"invoice.paid","amount":1.00,"name":"Zoë"}';
export const DEPS = { ...UNREACHABLE_PROVIDERS, sender: SENDER, now: () => NOW };

function endpoint(slug: string, change: Partial<EndpointSettings> = {}): EndpointSettings {
  const settings = {
    environment: "production" as const,
    enabled: true,
    settings: {},
    secrets: [],
    apiKeys: [],
    unreadableSecrets: 0,
  };
  return { slug, provider: isProvider(slug) ? slug : "stripe", ...settings, ...change };
}

/** An endpoint with these active secrets. */
export function candidate(
  slug: string,
  secrets: readonly string[] = [SECRET],
  change: Partial<EndpointSettings> = {},
): CandidateEndpoint {
  const known = secrets.map(
    (value, at): CandidateSecret => ({ id: `s${at}`, value, label: `“${at}” (…${value.slice(-4)})`, endedAt: null }),
  );
  return {
    endpoint: endpoint(slug, { secrets: known.map(({ id, value }) => ({ id, value })), ...change }),
    secrets: known,
  };
}

/** What the sender signed, and how it differs from what arrived. */
export type Case = {
  slug?: string;
  /** Signed by the sender. */
  secret?: string;
  body?: string | Uint8Array;
  url?: string;
  /** As it arrived; as signed by default. */
  arrived?: string | Uint8Array;
  headers?: (signed: Record<string, string>) => Record<string, string>;
  own?: CandidateEndpoint;
  others?: readonly CandidateEndpoint[];
  stored?: Partial<DeliveryToDiagnose>;
  reason?: DeliveryReason;
  timestamp?: number;
};

/** Diagnoses one delivery, and checks what holds for every diagnosis. */
export async function diagnoseCase({
  slug = "stripe",
  secret = SECRET,
  body = BODY,
  arrived,
  headers,
  own,
  others = [],
  ...rest
}: Case) {
  const url = `https://gatehouse.test/api/webhooks/${slug}`;
  const configured = own ?? candidate(slug);
  const adapter: Adapter = PROVIDERS[slug as keyof typeof PROVIDERS];
  const message = {
    body: Buffer.from(body),
    type: "invoice.paid",
    id: "msg_1",
    timestamp: rest.timestamp ?? NOW,
    settings: {},
  };
  const signed = adapter.sign({ ...message, secret, url: rest.url ?? url });
  if ("problem" in signed) throw new Error(signed.problem);
  const bytes = arrived === undefined ? signed.body : Buffer.from(arrived);
  const delivery: DeliveryToDiagnose = {
    method: "POST",
    headers: headers ? headers(signed.headers) : signed.headers,
    body: bytes,
    bodyBytes: bytes.byteLength,
    receivedAt: NOW,
    reason: rest.reason ?? "signature_mismatch",
    ...rest.stored,
  };
  const diagnosis = await diagnose(delivery, { ...configured, url }, others, DEPS);
  // Neither a secret nor a signature may be shown, whatever is found.
  const secrets = [configured, ...others].flatMap((one) => one.secrets.map(({ value }) => value.trim()));
  for (const text of diagnosis.findings.flatMap(({ sentence, fix }) => [sentence, fix])) {
    for (const value of secrets) expect(text).not.toContain(value);
    expect(text).not.toMatch(/[0-9a-f]{40}/);
  }
  expect(diagnosis.verifications).toBeLessThanOrEqual(MAX_VERIFICATIONS);
  return { ...diagnosis, kinds: diagnosis.findings.map(({ kind }) => kind) };
}
