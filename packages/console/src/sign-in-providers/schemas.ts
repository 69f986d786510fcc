import { PRESET_IDS } from "@gatehouse/accounts";
import { z } from "zod";
import { at, line, lines, version } from "../fields.ts";
import { managedView } from "../managed/schemas.ts";

const providerId = line.regex(
  /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/,
  "use 1 to 32 lower-case letters, digits and dashes",
);
const domain = line.trim().min(1).max(253, "use at most 253 characters");
const url = line.trim().max(500, "use at most 500 characters");
const word = line.trim().min(1).max(200, "use at most 200 characters");

/** What is left out has its default. */
export const signInProviderSettings = z.strictObject({
  scopes: z.array(word).max(20, "list at most 20 scopes").readonly().exactOptional(),
  domains: z.array(domain).max(50, "list at most 50 domains").readonly().exactOptional(),
  trustEmail: z.boolean().exactOptional(),
  link: z.enum(["ask", "verified"]).exactOptional(),
  signUp: z.boolean().exactOptional(),
  trustAcr: z
    .record(word, word)
    .refine((map) => Object.keys(map).length <= 20, "map at most 20 values")
    .exactOptional(),
  logout: z.enum(["off", "id_token_hint", "client_id"]).exactOptional(),
  allowPrivateNetwork: z.boolean().exactOptional(),
  tenants: z.array(word).max(50, "list at most 50 tenants").readonly().exactOptional(),
  teamId: word.exactOptional(),
  keyId: word.exactOptional(),
  clientAuthentication: z.enum(["client_secret_basic", "client_secret_post"]).exactOptional(),
});

const fields = {
  name: line.trim().min(1, "give the provider a name").max(40, "use at most 40 characters"),
  issuer: url.transform((value) => (value === "" ? null : value)).nullable(),
  clientId: line.trim().min(1, "enter the client ID").max(255, "use at most 255 characters"),
  /** Never read back. Several lines for a private key. */
  secret: lines.trim().min(1).max(8192, "use at most 8192 characters"),
  settings: signInProviderSettings,
  position: z.int().min(0).max(1000),
};

export const signInProviderDraft = z.strictObject({
  id: providerId,
  preset: z.enum(PRESET_IDS),
  name: fields.name.optional(),
  issuer: fields.issuer.default(null),
  clientId: fields.clientId,
  secret: fields.secret.nullable().default(null),
  settings: fields.settings.default({}),
  position: fields.position.optional(),
  /** False: nobody signs in with it before it is switched on. */
  enabled: z.boolean().default(true),
});
/** Members that are left out stay; `settings` are replaced as a whole. */
export const signInProviderChange = z.strictObject({
  id: providerId,
  version: version.optional(),
  ...z.object(fields).partial().shape,
});
export const signInProviderRef = z.strictObject({ id: providerId });
export const signInProviderSwitch = z.strictObject({ id: providerId, enabled: z.boolean() });

export const signInProviderView = z.object({
  id: z.string(),
  preset: z.enum(PRESET_IDS),
  name: z.string(),
  issuer: z.string().nullable(),
  clientId: z.string(),
  /** `unreadable`: sealed with another GATEHOUSE_SECRET. */
  secret: z.enum(["set", "none", "unreadable"]),
  settings: signInProviderSettings,
  position: z.int(),
  enabled: z.boolean(),
  callbackUrl: z.string(),
  /** How many users have connected it, at most 1,000; `moreUsers`: there are others. */
  users: z.int(),
  moreUsers: z.boolean(),
  managed: managedView,
  /** A test of a sign-in worked since the settings were last changed. */
  tested: z.boolean(),
  createdAt: at,
  updatedAt: at,
});

/** A kind of provider, for the form that adds one. */
export const signInPresetView = z.object({
  preset: z.enum(PRESET_IDS),
  name: z.string(),
  docsUrl: z.string(),
  /** `{callback}` stands for the callback URL. */
  steps: z.array(z.string()).readonly(),
  fields: z.array(z.enum(["issuer", "tenants", "teamId", "keyId", "trustEmail"])).readonly(),
  /** By field, how the provider's own pages call it. */
  names: z.record(z.string(), z.string()),
  issuerRequired: z.boolean(),
  secret: z.enum(["Client secret", "Private key"]),
  secretRequired: z.boolean(),
  scopes: z.array(z.string()).readonly(),
});

/** One thing that was tried. */
export const signInProviderCheck = z.object({
  check: z.enum(["metadata", "keys", "pkce", "credentials"]),
  state: z.enum(["ok", "warning", "failed"]),
  sentence: z.string(),
});

export const signInTestStart = z.object({ url: z.string() });
export const signInTestReport = z.strictObject({ id: providerId, report: z.string().min(1).max(8_000) });

const failures = z.enum([
  "denied",
  "unreachable",
  "exchange_refused",
  "answer_invalid",
  "sign_in_too_old",
  "tenant_unknown",
  "misconfigured",
]);
const refusals = z.enum([
  "other_domain",
  "other_provider",
  "other_account",
  "connected_elsewhere",
  "signed_out",
  "email_unverified",
  "no_account",
]);
/** What a test of a sign-in found. */
export const signInTestResult = z.object({
  outcome: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("arrived"),
      issuer: z.string(),
      subject: z.string(),
      email: z.string().nullable(),
      emailVerified: z.boolean(),
      name: z.string().nullable(),
      acr: z.string().nullable(),
      amr: z.array(z.string()).readonly(),
      authTime: at.nullable(),
      level: z.string().nullable(),
      leadsTo: z.object({
        kind: z.enum(["sign_in", "link", "prove", "claim", "create", "refused"]),
        account: z.object({ id: z.string(), email: z.string(), disabled: z.boolean() }).nullable(),
        reason: refusals.nullable(),
      }),
    }),
    z.object({
      kind: z.literal("failed"),
      problem: failures,
      detail: z.string(),
      code: z.string().nullable(),
      description: z.string().nullable(),
    }),
  ]),
  advice: z.string().nullable(),
  changedSince: z.boolean(),
});
