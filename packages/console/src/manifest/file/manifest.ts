import { type BrandingSettings, brandingProblems, MAX_NAME_LENGTH } from "@gatehouse/accounts";
import {
  ATTACHERS,
  CLIENT_OPTIONS,
  CLIENT_TYPES,
  type ClientOptions,
  type ClientType,
  defaultGrants,
  ENVIRONMENTS,
  GRANT_TYPES,
  ROLES,
  SIGNING_ALGORITHMS,
  STRANGER_POLICIES,
} from "@gatehouse/auth";
import { z } from "zod";
import { isBuiltInClient } from "../../clients/built-in-clients.ts";
import { MAX_CLIENTS } from "../../clients/names.ts";
import { optionShape } from "../../clients/option-schemas.ts";
import { clientName } from "../../clients/schemas.ts";
import { email, line, lines } from "../../fields.ts";
import { resourceEnvironments } from "../../resources/schemas.ts";
import { localeTag, passwordHash } from "../../users/import/schemas.ts";
import { webhookEndpointName, webhookEndpointSettings, webhookForward } from "../../webhook-endpoints/schemas.ts";
import { MAX_WEBHOOK_SECRETS } from "../../webhook-secrets/rows.ts";
import { webhookSecretName } from "../../webhook-secrets/schemas.ts";
import { snakeCase, snakeCased } from "../export/entry.ts";
import { signInProvider } from "./provider.ts";

// The file of `gatehouse apply`. Unknown fields are rejected, so that a typo does not silently do nothing.

const isConfidentialType = (type: ClientType) => type === "web" || type === "service";

/** `accessTokenSeconds` is `access_token_seconds` in the file. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type OptionShape = ReturnType<typeof optionShape<typeof CLIENT_OPTIONS>>;
type SnakeCased = { [Name in keyof OptionShape as SnakeCase<Name>]: OptionShape[Name] };

/** Optional settings of a client; the default applies to those left out. */
const clientOptions = z.strictObject(snakeCased(optionShape(CLIENT_OPTIONS)) as SnakeCased);

/** A client's options with camel-case names; options that the file leaves out are left out. */
function optionsOf(client: Readonly<Record<string, unknown>>): ClientOptions {
  const names = Object.keys(CLIENT_OPTIONS).map((name) => [name, client[snakeCase(name)]] as const);
  return Object.fromEntries(names.filter(([, value]) => value !== undefined));
}

const client = clientOptions
  .extend({
    client_id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, "use 1 to 64 of A-Z a-z 0-9 . _ -")
      .refine((id) => !id.startsWith("usr_"), "must not begin with usr_: those are user ids")
      .refine((id) => !isBuiltInClient(id), "belongs to Gatehouse itself, which registers this client at each start")
      .optional(),
    type: z.enum(CLIENT_TYPES),
    client_secret: z
      .string()
      .regex(
        /^[\x21-\x7E]{16,256}$/,
        "use 16 to 256 printable ASCII characters without spaces, or leave it out to generate one",
      )
      .optional(),
    redirect_uris: z.array(z.string()).default([]),
    post_logout_redirect_uris: z.array(z.string()).default([]),
    grant_types: z.array(z.enum(GRANT_TYPES)).optional(),
    scopes: z.array(z.string()),
    first_party: z.boolean().default(false),
    resource_server: z.boolean().default(false),
    refresh_retry_seconds: z.int().min(0).max(3600).default(30),
    enabled: z.boolean().optional(),
  })
  .refine(({ authentication, client_secret }) => client_secret === undefined || authentication !== "private_key_jwt", {
    path: ["client_secret"],
    error: "a client with private_key_jwt has no secret",
  })
  .refine(({ type, client_secret }) => client_secret === undefined || isConfidentialType(type), {
    path: ["client_secret"],
    error: "this type of client is public and has no secret",
  })
  .transform(({ grant_types, ...rest }) => ({
    ...rest,
    grant_types: grant_types ?? defaultGrants(rest.type),
    options: optionsOf(rest),
  }));

/**
 * What users see when they sign in to the application. Replaces all of it; `{}` removes it. The logo is a file of the
 * console.
 */
const branding = z
  .strictObject({
    display_name: z.string().optional(),
    colour: z.string().toLowerCase().optional(),
    terms_url: z.string().optional(),
    privacy_url: z.string().optional(),
    support_url: z.string().optional(),
  })
  .transform(
    ({ display_name: displayName, colour, terms_url: termsUrl, privacy_url: privacyUrl, support_url: supportUrl }) => {
      const all: BrandingSettings = { displayName, colour, termsUrl, privacyUrl, supportUrl };
      return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as BrandingSettings;
    },
  )
  .superRefine((settings, context) => {
    for (const { path, message } of brandingProblems(settings)) {
      context.addIssue({
        code: "custom",
        path: [path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
        message,
      });
    }
  });

const environments = z.strictObject({
  development: client.optional(),
  staging: client.optional(),
  production: client.optional(),
});

/** An application with one client lists its `environments`, one with several its `clients`. */
const application = z
  .strictObject({
    name: line.trim().min(1).max(80),
    description: lines.trim().max(500).optional(),
    branding: branding.optional(),
    environments: environments.optional(),
    clients: z
      .array(z.strictObject({ name: clientName, environments }))
      .max(MAX_CLIENTS, `list at most ${MAX_CLIENTS}`)
      .optional(),
  })
  .refine(({ environments, clients }) => environments === undefined || clients === undefined, {
    path: ["environments"],
    error: "list either the environments of the only client, or several clients with their environments",
  })
  .refine(({ environments, clients }) => environments !== undefined || clients !== undefined, {
    path: ["environments"],
    error: "is required, unless the application lists its clients",
  });

/** Fields that are left out do not change. A new user needs a password. */
const user = z
  .strictObject({
    email,
    /** Only for a new account, unless `reset_password` is true. */
    password: z.string().optional(),
    reset_password: z.boolean().default(false),
    name: line.trim().min(1).max(MAX_NAME_LENGTH).optional(),
    role: z.enum(ROLES).optional(),
    /** Takes over an account that somebody else created with this address and never verified; its data is deleted. */
    adopt: z.boolean().default(false),
    /** True if the address was proved elsewhere. False changes nothing. */
    email_verified: z.boolean().default(false),
    /** Sends an invitation with this role instead of creating the account; the user chooses the password. */
    invited: z.boolean().default(false),
    /** Instead of a password, and like it only for an account without one. */
    password_hash: passwordHash.optional(),
    locale: localeTag.optional(),
  })
  .refine(({ password, password_hash }) => password === undefined || password_hash === undefined, {
    path: ["password_hash"],
    error: "give a password or a password_hash, not both",
  })
  .refine(
    ({ invited, password, password_hash }) => !invited || (password === undefined && password_hash === undefined),
    {
      path: ["invited"],
      error: "somebody who is invited chooses the password",
    },
  );

/** An ISO 8601 time, or Unix seconds. */
const instant = z.union(
  [z.int().min(0), z.iso.datetime({ offset: true }).transform((text) => Math.floor(Date.parse(text) / 1000))],
  "must be a time like 2027-01-31T12:00:00Z, or Unix seconds",
);

/** The secret alone, or an object with the secret, a name and an end. */
const webhookSecret = z.preprocess(
  (value) => (typeof value === "string" ? { secret: value } : value),
  z
    .strictObject({ secret: z.string().max(500), name: webhookSecretName.optional(), ends_at: instant.nullish() })
    .transform(({ ends_at: endsAt, ...rest }) => ({ ...rest, endsAt })),
);

const webhook = z.strictObject({
  provider: z.string(),
  /** The last segment of the URL; without it, the provider's default endpoint. */
  endpoint: z.string().max(64).optional(),
  environment: z.enum(ENVIRONMENTS).optional(),
  name: webhookEndpointName.optional(),
  settings: webhookEndpointSettings.optional(),
  secrets: z.array(webhookSecret).max(MAX_WEBHOOK_SECRETS, `list at most ${MAX_WEBHOOK_SECRETS}`).optional(),
  api_key: z.string().max(500).optional(),
  /** Where its events are sent; null stops that. */
  forward: webhookForward.nullish(),
  enabled: z.boolean().optional(),
});

/** `scopes` maps each name to a description that completes "This will allow it to …". */
const resource = z.strictObject({
  id: z.string().min(1).max(500),
  name: line.trim().min(1).max(80),
  scopes: z
    .record(z.string().min(1).max(100), line.trim().min(1).max(200))
    .transform((scopes) => Object.entries(scopes).map(([name, description]) => ({ name, description }))),
  token_format: z.enum(["opaque", "jwt"]).default("opaque"),
  token_algorithm: z.enum(SIGNING_ALGORITHMS).default("RS256"),
  environments: resourceEnvironments,
  attached_by: z.enum(ATTACHERS).default("admins"),
  strangers: z.enum(STRANGER_POLICIES).default("refused"),
  enabled: z.boolean().optional(),
});

export const manifest = z.strictObject({
  /** Whether only an apply changes the objects of this file, until somebody unlocks them. CO-73. */
  locked: z.boolean().default(false),
  resources: z.array(resource).default([]),
  users: z.array(user).default([]),
  applications: z.array(application).default([]),
  webhooks: z.array(webhook).default([]),
  sign_in_providers: z.array(signInProvider).default([]),
});

export type Manifest = z.output<typeof manifest>;
export type ManifestUser = z.output<typeof user>;
export type ManifestClient = z.output<typeof client>;
