import type { EndpointSettings } from "../endpoint.ts";
import type { Adapter, Key } from "../providers/adapter.ts";
import type { Finding, Variant } from "./finding.ts";

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

/** What is tried instead of an active secret of the endpoint: the secret to read keys from, or keys that the adapter would not read. */
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
        mend: "Ask the provider to send the delivery again.",
      },
    }));
}

/** The endpoint's ended secrets, and those of other endpoints. */
export function otherSecrets(own: CandidateEndpoint, others: readonly CandidateEndpoint[]): Variant<SecretChoice>[] {
  const ended = own.secrets.filter(({ endedAt }) => endedAt !== null);
  return [
    ...ended.map(({ value, label, endedAt }) => choice(value, endedFinding(label, endedAt ?? 0))),
    ...byLikelihood(own, others).flatMap((other) =>
      other.secrets.map(({ value, label }) => choice(value, elsewhereFinding(label, other.endpoint, own.endpoint))),
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
    mend: "Enter the current secret at the provider, or add this one again until the provider has switched over.",
  };
}

function elsewhereFinding(label: string, other: EndpointSettings, own: EndpointSettings): Finding {
  const where = `/api/webhooks/${other.slug}`;
  if (other.environment !== own.environment) {
    return {
      kind: "other_environment_secret",
      sentence: `The delivery is signed with the ${other.environment} secret ${label} of ${where}. This endpoint is for ${own.environment}.`,
      mend: `Change the URL at the ${other.environment} account of the provider to ${where}, or enter its ${own.environment} secret here.`,
    };
  }
  return {
    kind: "other_endpoint_secret",
    sentence: `The delivery is signed with the secret ${label} of another endpoint, ${where}.`,
    mend: `Change the URL at the provider to ${where}, or add this secret here.`,
  };
}

/** Mistakes with the endpoint's own active secrets, and values that the provider signs its tests with. */
export function mistakenSecrets(own: CandidateEndpoint, adapter: Adapter): Variant<SecretChoice>[] {
  const active = own.secrets.filter(({ endedAt }) => endedAt === null);
  const tests = (adapter.testSecrets ?? []).map((secret) =>
    choice(secret, {
      kind: "sender_test_secret",
      sentence: `The delivery is a test of ${adapter.name}'s simulator, which signs with ${secret} instead of your secret.`,
      mend: "Nothing is wrong. To accept such tests, add a development endpoint with this value as its secret.",
    }),
  );
  return [...tests, ...active.flatMap((secret) => mistakes(secret, own.endpoint, adapter))];
}

function mistakes({ value, label }: CandidateSecret, { settings }: EndpointSettings, adapter: Adapter): Variant<SecretChoice>[] {
  const secret = value.trim();
  const [known] = adapter.keysOf(secret, settings);
  if (!known?.algorithm.startsWith("hmac")) return [];
  const withKey = (text: string | Buffer, finding: Finding): Variant<SecretChoice> => ({
    value: { secret, keys: [{ algorithm: known.algorithm, bytes: Buffer.from(text) }] },
    finding,
  });
  const spaces: Finding = {
    kind: "trailing_whitespace",
    sentence: `The sender's copy of the secret ${label} has white space around it, such as a line break at its end.`,
    mend: "Enter the secret at the sender again, without the line break. A secret in a file or variable often ends with one.",
  };
  const quotes: Finding = {
    kind: "quoted_secret",
    sentence: `The secret ${label} differs from the sender's copy by quotation marks around it.`,
    mend: "Enter the secret without quotation marks on both sides.",
  };
  const raw: Finding = {
    kind: "raw_secret",
    sentence: `The sender used the secret ${label} as text. ${adapter.name} decodes it first.`,
    mend: "Decode the secret where the delivery is signed, or choose the provider that really sends it.",
  };
  const decoded: Finding = {
    kind: "decoded_secret",
    sentence: `The sender decoded the secret ${label} first. ${adapter.name} uses it as text.`,
    mend: "Use the whole secret as text where the delivery is signed, or choose the provider that really sends it.",
  };
  /** Another spelling, as text and as the adapter reads it. */
  const respelled = (text: string, finding: Finding): Variant<SecretChoice>[] => {
    const keys = adapter.keysOf(text, settings);
    return [withKey(text, finding), ...(keys.length > 0 ? [{ value: { secret, keys }, finding }] : [])];
  };
  const bare = secret.replace(/^[a-z]+_/, ""); // whsec_…
  return [
    ...[`${secret}\n`, `${secret}\r\n`, `${secret} `, ` ${secret}`, `${secret}\t`].flatMap((text) => respelled(text, spaces)),
    ...[`"${secret}"`, `'${secret}'`, ...unquoted(secret)].flatMap((text) => respelled(text, quotes)),
    withKey(secret, raw),
    withKey(bare, raw),
    withKey(Buffer.from(secret, "base64"), decoded),
    withKey(Buffer.from(bare, "base64"), decoded),
    withKey(Buffer.from(bare, "hex"), decoded),
  ].filter(({ value: { keys = [] } }) => keys.every(({ bytes }) => bytes.length > 0 && !Buffer.from(bytes).equals(known.bytes)));
}

const unquoted = (secret: string) => /^(?:"(.+)"|'(.+)')$/.exec(secret)?.slice(1).filter(Boolean) ?? [];
