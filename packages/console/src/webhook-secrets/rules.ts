import type { Environment } from "@gatehouse/auth";
import { type AdapterSettings, type EnteredSecretKind, secretTextProblem } from "@gatehouse/webhooks";
import type { Problem } from "../domain-error.ts";
import { DESTINATIONS } from "../secrets/destinations.ts";
import { adapterOf, providerProblems, settingsProblems } from "../webhook-endpoints/rules.ts";

/** A secret to be checked for an endpoint. */
export type SecretToCheck = { provider: string; kind: EnteredSecretKind; secret: string; settings: AdapterSettings };

/** What is often pasted instead of a signing secret, by its beginning. */
const MISTAKEN: readonly { pattern: RegExp; is: string }[] = [
  { pattern: /^we_\w+$/, is: "is the id of a webhook endpoint" },
  { pattern: /^ep_\w+$/, is: "is the id of an endpoint" },
  { pattern: /^(sk|rk)_(live|test)_\w+$/, is: "is an API key, which can do much more than verify a signature" },
  { pattern: /^pk_(live|test)_\w+$/, is: "is a publishable key" },
  { pattern: /^(sha1|sha256|sha512)=[0-9a-f]{40,}$/, is: "is a signature of one delivery" },
  { pattern: /^(t=\d+,)?v1a?[,=][A-Za-z0-9+/]{40,}=*$/, is: "is a signature of one delivery" },
  { pattern: /^https?:\/\//, is: "is a URL" },
];

/** Every problem with a secret. White space around it is ignored. */
export function secretProblems({ provider, kind, secret, settings }: SecretToCheck): Problem[] {
  const adapter = adapterOf(provider);
  if (!adapter) return providerProblems(provider);
  const { name, keysOf, facts } = adapter;
  const what = kind === "signing" ? "signing secret" : "API key";
  const problem = (message: string) => [{ path: "secret", message }];
  const value = secret.trim();

  if (value === "") return problem(`is empty. Paste the ${what} as ${name} shows it`);
  if (kind === "api_key") return keyProblems(value, name).flatMap(problem);
  const copied = secretTextProblem(value, adapter);
  if (copied !== undefined) return problem(copied);
  const [incomplete] = settingsProblems(provider, settings);
  if (incomplete)
    return problem(
      `cannot be checked yet. Complete the endpoint's settings first: ${incomplete.path} ${incomplete.message}`,
    );
  const mistaken = MISTAKEN.find(({ pattern }) => pattern.test(value));
  if (mistaken)
    return problem(`${mistaken.is}, not a signing secret. ${name} shows the signing secret here: ${facts.secretHelp}`);
  return keysOf(value, settings).length > 0
    ? []
    : problem(`is not a signing secret of ${name}. It is here: ${facts.secretHelp}`);
}

function keyProblems(value: string, name: string): string[] {
  if (/^Bearer\s/i.test(value))
    return ["starts with the word Bearer, which belongs to the header. Paste only the key that follows it"];
  if (/[\s\p{Cf}]/u.test(value)) return [`contains white space. Paste the API key as ${name} shows it`];
  return /^(v1,)?whsec_/.test(value) ? ["is a signing secret, not an API key"] : [];
}

/** An endpoint that has the same secret. */
type SameSecret = { endpoint: string; environment: Environment };

/** What to tell the admin about a secret that is valid. */
export function secretWarnings({
  secret,
  kind,
  environment,
  settings,
  others,
}: {
  secret: string;
  kind: EnteredSecretKind;
  environment: Environment;
  settings: AdapterSettings;
  others: readonly SameSecret[];
}): string[] {
  const value = secret.trim();
  const elsewhere = others.filter((other) => other.environment !== environment);
  return [
    ...(value === secret.replace(/\r?\n$/, "") ? [] : ["White space around the secret was removed."]),
    ...elsewhere.map(
      (other) =>
        `${other.endpoint} (${other.environment}) has the same secret. Use one secret for each environment: with this one, a delivery of ${other.environment} also passes in ${environment}.`,
    ),
    ...(kind === "api_key" ? [...addressWarnings(settings), ...modeWarnings(value, environment)] : []),
  ];
}

/** Who adds a key may not know that somebody let the endpoint point elsewhere. */
function addressWarnings(settings: AdapterSettings): string[] {
  const address = DESTINATIONS["webhook API key"]({ settings });
  return address === undefined ? [] : [`This key is sent to ${address}, the API address in the endpoint's settings.`];
}

/** Stripe and others put the mode into the key. */
function modeWarnings(value: string, environment: Environment): string[] {
  if (environment === "production" && /^\w+_test_/.test(value))
    return ["This is a test key, but the endpoint is for production."];
  if (environment !== "production" && /^\w+_live_/.test(value))
    return [`This is a live key, but the endpoint is for ${environment}.`];
  return [];
}
