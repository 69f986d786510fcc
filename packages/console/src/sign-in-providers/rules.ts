import { createPrivateKey } from "node:crypto";
import {
  fieldName,
  type NamedField,
  normaliseDomain,
  PRESETS,
  type PresetId,
  type ProviderSettings,
  type SignInProvider,
  settingsOf,
} from "@gatehouse/accounts";
import { ACR, isOutboundUrl, levelOf } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import type { Problem } from "../domain-error.ts";
import { isRedirected } from "../secrets/destinations.ts";

/** A provider as it will be stored. `secret` is clear text; undefined if the stored one stays. */
export type ProviderPlan = Pick<SignInProvider, "id" | "preset" | "issuer" | "clientId" | "settings"> & {
  secret: string | null | undefined;
};

const nameOf = (field: NamedField, preset: PresetId) => fieldName(field, PRESETS[preset]);

const TENANT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const APPLE_ID = /^[A-Z0-9]{10}$/;

/** Every problem with a provider that can be found without asking it. `others` are all other providers. UP-01. */
export function providerProblems(
  plan: ProviderPlan,
  others: readonly SignInProvider[],
  { config }: Pick<OperationDeps, "config">,
): Problem[] {
  return [
    ...issuerProblems(plan, config),
    ...secretProblems(plan),
    ...fieldProblems(plan),
    ...scopeProblems(plan),
    ...domainProblems(plan, others),
    ...levelProblems(plan.settings),
  ];
}

/**
 * Another issuer needs the stored secret again: otherwise an admin who cannot read it could have it sent to a server of
 * their own. Every change of a provider, by the console, a file or the command line, is checked here.
 */
export function redirectedSecretProblems(
  before: SignInProvider,
  after: Pick<ProviderPlan, "issuer" | "secret">,
): Problem[] {
  if (before.secret === null || after.secret !== undefined || !isRedirected("sign-in provider's secret", before, after))
    return [];
  return [{ path: "secret", message: "enter it again: it would go to another server from now on" }];
}

function issuerProblems({ preset, issuer }: ProviderPlan, { issuer: own }: OperationDeps["config"]): Problem[] {
  const { fields, issuerRequired = false } = PRESETS[preset];
  const tell = (message: string) => [{ path: "issuer", message }];
  if (!fields.includes("issuer"))
    return issuer === null ? [] : tell(`${PRESETS[preset].name} has one issuer: leave it out`);
  if (issuer === null) return issuerRequired ? tell("enter the provider's issuer") : [];
  if (!isOutboundUrl(issuer, { allowLoopback: own.startsWith("http:") }))
    return tell(
      "must be an https URL without user name; plain http is only for loopback, while Gatehouse is there too",
    );
  return /[?#]/.test(issuer) ? tell("must have no query and no fragment") : [];
}

function secretProblems({ preset, secret }: ProviderPlan): Problem[] {
  const { secret: kind, secretOptional = false } = PRESETS[preset];
  if (secret === undefined) return [];
  if (secret === null)
    return secretOptional ? [] : [{ path: "secret", message: `enter the ${nameOf("secret", preset)}` }];
  if (kind === "Client secret" || isEcKey(secret)) return [];
  return [
    {
      path: "secret",
      message: "must be the whole content of the .p8 file, beginning with -----BEGIN PRIVATE KEY-----",
    },
  ];
}

function isEcKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

/** Settings that only some kinds of providers have. */
function fieldProblems({ preset, settings }: ProviderPlan): Problem[] {
  const { fields, name } = PRESETS[preset];
  const { tenants = [], teamId, keyId, trustEmail } = settings;
  const foreign = (["tenants", "teamId", "keyId"] as const).filter(
    (field) => settings[field] !== undefined && !fields.includes(field),
  );
  return [
    ...foreign.map((field) => ({ path: `settings.${field}`, message: `${name} has no such setting` })),
    ...(trustEmail && !fields.includes("trustEmail")
      ? [{ path: "settings.trustEmail", message: `Gatehouse knows which addresses ${name} verifies: leave it out` }]
      : []),
    ...(fields.includes("tenants") && tenants.length === 0
      ? [
          {
            path: "settings.tenants",
            message: `list at least one ${nameOf("tenants", preset)}: users of other tenants cannot sign in`,
          },
        ]
      : []),
    ...tenants.flatMap((tenant, at) =>
      TENANT_ID.test(tenant)
        ? []
        : [
            {
              path: `settings.tenants.${at}`,
              message: `must be a ${nameOf("tenants", preset)} in lower case, not a domain`,
            },
          ],
    ),
    ...(fields.includes("teamId") && !APPLE_ID.test(teamId ?? "")
      ? [{ path: "settings.teamId", message: `enter the ${nameOf("teamId", preset)}, 10 capital letters and digits` }]
      : []),
    ...(fields.includes("keyId") && !APPLE_ID.test(keyId ?? "")
      ? [{ path: "settings.keyId", message: `enter the ${nameOf("keyId", preset)}, 10 capital letters and digits` }]
      : []),
  ];
}

function scopeProblems({ preset, settings: { scopes } }: ProviderPlan): Problem[] {
  if (scopes === undefined) return [];
  const openid = PRESETS[preset].metadataOf === undefined;
  const malformed = scopes.flatMap((scope, at) =>
    /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope)
      ? []
      : [{ path: `settings.scopes.${at}`, message: "must be one scope without spaces" }],
  );
  if (!openid || scopes.includes("openid")) return malformed;
  return [...malformed, { path: "settings.scopes", message: "must include openid" }];
}

/** UP-10: an address leads to one provider. Domains are normalised already. */
function domainProblems({ id, settings }: ProviderPlan, others: readonly SignInProvider[]): Problem[] {
  return settingsOf({ settings }).domains.flatMap((domain, at) => {
    const owner = others.find((other) => other.id !== id && settingsOf(other).domains.includes(domain));
    return owner ? [{ path: `settings.domains.${at}`, message: `${domain} signs in at ${owner.name}` }] : [];
  });
}

function levelProblems({ trustAcr = {} }: ProviderSettings): Problem[] {
  return Object.entries(trustAcr).flatMap(([value, level]) =>
    levelOf(level) === undefined
      ? [{ path: `settings.trustAcr.${value}`, message: `must be a level of Gatehouse, such as ${ACR.mfa}` }]
      : [],
  );
}

/** Domains that are none. */
export function settingsProblems({ domains = [] }: ProviderSettings): Problem[] {
  return domains.flatMap((domain, at) =>
    normaliseDomain(domain) === undefined
      ? [{ path: `settings.domains.${at}`, message: "must be a domain like example.com" }]
      : [],
  );
}
