import { isDeepStrictEqual } from "node:util";
import type { EndpointSettings } from "../endpoint.ts";
import type { Adapter, Key } from "../providers/adapter.ts";
import type { Finding, Variant } from "./finding.ts";
import { makes, readingsOf } from "./secret-readings.ts";

/** A stored secret, active or ended. */
export type CandidateSecret = {
  id: string;
  value: string;
  /** Its name for the sentences, such as `“main” (…6789)`. */
  label: string;
  /** Unix seconds; null if it is active. */
  endedAt: number | null;
};

/** An endpoint whose secrets are tried. */
export type CandidateEndpoint = { endpoint: EndpointSettings; secrets: readonly CandidateSecret[] };

/**
 * What is tried instead of an active secret of the endpoint: the secret to read keys from, or keys that the adapter
 * would not read.
 */
export type SecretChoice = { secret: string; keys: readonly Key[] | undefined };

/** The endpoint's active secrets as they are. A match means that they were changed since. */
export function activeSecrets({ secrets }: CandidateEndpoint): Variant<SecretChoice>[] {
  return secrets
    .filter(({ endedAt }) => endedAt === null)
    .map(({ value, label }) => ({
      value: { secret: value.trim(), keys: undefined },
      finding: {
        kind: "now_valid",
        sentence: `The signature matches the secret ${label} now. The secret or the endpoint's settings changed after the delivery arrived.`,
        fix: "Ask the provider to send the delivery again.",
      },
    }));
}

/** The endpoint's ended secrets, and those of other endpoints. */
export function otherSecrets(own: CandidateEndpoint, others: readonly CandidateEndpoint[]): Variant<SecretChoice>[] {
  const ended = own.secrets.filter(({ endedAt }) => endedAt !== null);
  return [
    ...ended.map(({ value, label, endedAt }) => choice(value, endedFinding(label, endedAt ?? 0))),
    ...byLikelihood(own, others).flatMap((other) =>
      other.secrets.map((secret) => choice(secret.value, elsewhereFinding(secret, other.endpoint, own.endpoint))),
    ),
  ];
}

const choice = (secret: string, finding: Finding): Variant<SecretChoice> => ({
  value: { secret: secret.trim(), keys: undefined },
  finding,
});

/** Endpoints of the same provider first. */
function byLikelihood(own: CandidateEndpoint, others: readonly CandidateEndpoint[]): CandidateEndpoint[] {
  const rank = ({ endpoint }: CandidateEndpoint) => (endpoint.provider === own.endpoint.provider ? 0 : 1);
  return others.filter(({ endpoint }) => endpoint.slug !== own.endpoint.slug).sort((one, two) => rank(one) - rank(two));
}

function endedFinding(label: string, endedAt: number): Finding {
  const day = new Date(endedAt * 1000).toISOString().slice(0, 10);
  return {
    kind: "ended_secret",
    sentence: `The delivery is signed with the secret ${label}, which ended on ${day}.`,
    fix: "Enter the current secret at the provider, or add this one again until the provider has switched over.",
  };
}

function elsewhereFinding(
  { label, endedAt }: CandidateSecret,
  other: EndpointSettings,
  own: EndpointSettings,
): Finding {
  const where = `/api/webhooks/${other.slug}`;
  const fix =
    endedAt === null && takesSameDeliveries(other, own)
      ? `Change the URL at the sender to ${urlAtSender(other, where)}. If the secrets were mixed up, add this one here instead.`
      : "Enter this endpoint's secret at the sender. If the secrets were mixed up, add this one here instead.";
  if (other.environment !== own.environment) {
    return {
      kind: "other_environment_secret",
      sentence: `The delivery is signed with the ${other.environment} secret ${label} of ${where}. This endpoint is for ${own.environment}.`,
      fix,
    };
  }
  return {
    kind: "other_endpoint_secret",
    sentence: `The delivery is signed with the secret ${label} of another endpoint, ${where}.`,
    fix,
  };
}

/** Whether the other endpoint would read a delivery that was meant for this one. */
function takesSameDeliveries(other: EndpointSettings, own: EndpointSettings): boolean {
  if (!other.enabled || other.provider !== own.provider) return false;
  return own.provider !== "custom" || isDeepStrictEqual(other.settings, own.settings);
}

/** Square signs the URL that is entered there, which can differ from the endpoint's. */
const urlAtSender = ({ settings: { notificationUrl } }: EndpointSettings, where: string) =>
  typeof notificationUrl === "string" && notificationUrl !== "" ? notificationUrl : where;

/** Mistakes with the endpoint's own active secrets, and values that the provider signs its tests with. */
export function mistakenSecrets(own: CandidateEndpoint, adapter: Adapter): Variant<SecretChoice>[] {
  const active = own.secrets.filter(({ endedAt }) => endedAt === null);
  const tests = (adapter.testSecrets ?? []).map((secret) =>
    choice(secret, {
      kind: "sender_test_secret",
      sentence: `The delivery is a test of ${adapter.name}'s simulator, which signs with ${secret} instead of your secret.`,
      fix: "Nothing is wrong. To accept such tests, add a development endpoint with this value as its secret.",
    }),
  );
  return [...tests, ...active.flatMap((secret) => mistakes(secret, own.endpoint, adapter))];
}

function mistakes(
  { value, label }: CandidateSecret,
  { settings }: EndpointSettings,
  adapter: Adapter,
): Variant<SecretChoice>[] {
  const secret = value.trim();
  const keys = adapter.keysOf(secret, settings);
  if (!keys[0]?.algorithm.startsWith("hmac")) return [];
  const spaces: Finding = {
    kind: "trailing_whitespace",
    sentence: `The sender's copy of the secret ${label} has white space around it, such as a line break at its end.`,
    fix: "Enter the secret at the sender again, without the line break. A secret in a file or variable often ends with one.",
  };
  const quotes: Finding = {
    kind: "quoted_secret",
    sentence: `The secret ${label} differs from the sender's copy by quotation marks around it.`,
    fix: "Enter the secret without quotation marks on both sides.",
  };
  /** Another spelling, as the adapter reads it. */
  const respelled = (text: string, finding: Finding) => ({
    value: { secret, keys: adapter.keysOf(text, settings) },
    finding,
  });
  return [
    ...[`${secret}\n`, `${secret}\r\n`, `${secret} `, ` ${secret}`, `${secret}\t`].map((text) =>
      respelled(text, spaces),
    ),
    ...[`"${secret}"`, `'${secret}'`, ...unquoted(secret)].map((text) => respelled(text, quotes)),
    ...misread(secret, label, keys, adapter),
  ].filter(({ value: { keys: tried } }) => tried.length > 0);
}

const unquoted = (secret: string) => /^(?:"(.+)"|'(.+)')$/.exec(secret)?.slice(1).filter(Boolean) ?? [];

/**
 * The sender made its key in another way than the provider does. None for providers that do not read the secret as text
 * or encoded.
 */
function misread(secret: string, label: string, keys: readonly Key[], { name }: Adapter) {
  const readings = readingsOf(secret);
  const [known] = keys;
  const right = known && readings.find((reading) => makes(reading, [known]));
  if (!right) return [];
  return readings
    .filter((reading) => !makes(reading, keys))
    .map(({ how, bytes, kind }) => ({
      value: { secret, keys: [{ algorithm: known.algorithm, bytes }] },
      finding: {
        kind,
        sentence: `The sender used the secret ${label} ${how}. ${name} uses it ${right.how}.`,
        fix: `Use the secret ${right.how} where the delivery is signed, or choose the provider that really sends it.`,
      },
    }));
}
