import {
  ASSERTION_ALGORITHMS,
  ATTACHERS,
  CLIENT_BLOCK_KINDS,
  CLIENT_ORIGINS,
  CLIENT_TYPES,
  type ClientOptions,
  ENVIRONMENTS,
  GRANT_TYPES,
  ID_TOKEN_CLAIMS,
  MAX_REDIRECT_URIS,
  REFUSAL_CAUSES,
  REGISTRARS,
  ROLES,
  SIGNING_ALGORITHMS,
  STRANGER_POLICIES,
} from "@gatehouse/auth";
import type { Filter, Filters, FilterValues } from "@gatehouse/lists";
import { DELIVERY_OUTCOMES, DELIVERY_REASONS } from "@gatehouse/webhooks";
import { z } from "zod";

// The inputs and results of operations, as procedures and the command line check them. Times are Unix seconds.

/** One line of text, without control characters or unpaired surrogates, which databases treat differently. */
export const line = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, "remove control characters and line breaks");
/** The same, with line breaks. */
export const lines = z.string().regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, "remove control characters");

export const id = line.min(1).max(64);
/** The id of a client with a metadata document is a URL. */
export const clientId = line.min(1).max(255);
const at = z.int();
const cursor = line.min(1).max(200);
const limit = z.int().min(1).max(100).default(25);

export const environment = z.enum(ENVIRONMENTS);
export const clientType = z.enum(CLIENT_TYPES);
export const role = z.enum(ROLES);

// applications

export const applicationDraft = z.object({
  name: line.trim().min(1, "give the application a name").max(80, "use at most 80 characters"),
  description: lines.trim().max(500, "use at most 500 characters").default(""),
});

export const applicationListItem = z.object({
  id,
  name: z.string(),
  description: z.string(),
  createdAt: at,
  clients: z.array(z.object({ clientId: z.string(), environment, type: clientType, enabled: z.boolean() })),
});

// clients

export const secretView = z.object({ id, hint: z.string(), createdAt: at, expiresAt: at.nullable(), lastUsedAt: at.nullable() });

export const resourceId = line.min(1).max(500, "use at most 500 characters");
const optionUri = z.string().max(2048, "use at most 2048 characters").optional();
const resourceIds = z.array(resourceId).max(50).optional();

/** Optional settings of a client; the default applies to those left out. To add an option, add a line here. */
export const clientOptions = z
  .strictObject({
    resources: resourceIds,
    serves: resourceIds,
    authentication: z.enum(["secret", "private_key_jwt"]).optional(),
    assertionAlgorithm: z.enum(ASSERTION_ALGORITHMS).optional(),
    jwks: z.strictObject({ keys: z.array(z.looseObject({ kty: line.max(20) })).max(20) }).optional(),
    jwksUri: optionUri,
    clientName: line.max(60).optional(),
    applicationType: z.enum(["web", "native"]).optional(),
    secretMethod: z.enum(["client_secret_basic", "client_secret_post"]).optional(),
    clientUri: optionUri,
    logoUri: optionUri,
    policyUri: optionUri,
    tosUri: optionUri,
    contacts: z.array(z.string().max(2048)).max(10).optional(),
    softwareId: z.string().max(255).optional(),
    softwareVersion: z.string().max(255).optional(),
    idTokenAlgorithm: z.enum(SIGNING_ALGORITHMS).optional(),
    idTokenClaims: z.enum(ID_TOKEN_CLAIMS).optional(),
    backchannelLogoutUri: line.max(2048, "use at most 2048 characters").optional(),
    requirePushedRequests: z.boolean().optional(),
    dpopBound: z.boolean().optional(),
    dpopNonce: z.boolean().optional(),
    rotateRefreshTokens: z.boolean().optional(),
    accessTokenSeconds: z.int().optional(),
    refreshIdleSeconds: z.int().optional(),
    refreshAbsoluteSeconds: z.int().optional(),
  })
  .transform((options): ClientOptions => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));

export const clientView = z.object({
  clientId: z.string(),
  applicationId: id,
  applicationName: z.string(),
  environment,
  type: clientType,
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  grantTypes: z.array(z.enum(GRANT_TYPES)),
  scopes: z.array(z.string()),
  firstParty: z.boolean(),
  resourceServer: z.boolean(),
  enabled: z.boolean(),
  refreshRetrySeconds: z.int(),
  options: clientOptions,
  /** Registered by an admin, by itself, or with a metadata document. */
  origin: z.enum(CLIENT_ORIGINS),
  createdAt: at,
  updatedAt: at,
  /** The active ones. */
  secrets: z.array(secretView),
});

const uris = z.array(line.max(2048, "use at most 2048 characters")).max(MAX_REDIRECT_URIS, `register at most ${MAX_REDIRECT_URIS} URIs`);

/** The settings that may change after registration: all but type and environment. */
export const clientSettings = z.object({
  redirectUris: uris,
  postLogoutRedirectUris: uris.default([]),
  grantTypes: z.array(z.enum(GRANT_TYPES)).min(1, "choose at least one grant").max(GRANT_TYPES.length),
  scopes: z.array(line.max(100)).max(50),
  firstParty: z.boolean().default(false),
  resourceServer: z.boolean().default(false),
  refreshRetrySeconds: z.int().min(0, "0 or more seconds").max(3600, "at most 3600 seconds").default(30),
  /** If left out: none at registration, unchanged in an update. */
  options: clientOptions.optional(),
});

export const clientDraft = clientSettings.extend({ applicationId: id, environment, type: clientType });

/** The secret is returned only here; null for clients without one. */
export const registeredClient = z.object({ client: clientView, secret: z.string().nullable() });

export const uriVerdict = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

export const promotionPair = z.object({ applicationId: id, from: environment, to: environment });
const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export const promotionDiff = z.object({
  /** False if the target environment has no client: promoting then registers one. */
  targetExists: z.boolean(),
  /** Why promoting is not possible, e.g. because the types differ; null if it is. */
  blocked: z.string().nullable(),
  fields: z.array(
    z.object({
      field: z.enum([
        "type",
        "grantTypes",
        "scopes",
        "firstParty",
        "resourceServer",
        "refreshRetrySeconds",
        "options",
        "redirectUris",
        "postLogoutRedirectUris",
      ]),
      from: fieldValue,
      to: fieldValue.nullable(),
      differs: z.boolean(),
      /** False for what each environment has for itself, such as redirect URIs. */
      promoted: z.boolean(),
    }),
  ),
});

// resources

const apiScope = z.object({
  name: line.min(1).max(100, "use at most 100 characters"),
  /** Completes "This will allow it to …" on the consent page. */
  description: line.trim().min(1, "say what it allows").max(200, "use at most 200 characters"),
});

/** In a fixed order, each once; null or left out means the default for the issuer. */
export const resourceEnvironments = z
  .array(environment)
  .min(1, "choose at least one environment; to close the API to all clients, disable it")
  .transform((names) => ENVIRONMENTS.filter((name) => names.includes(name)))
  .nullable()
  .default(null);

export const resourceDraft = z.object({
  id: resourceId,
  name: line.trim().min(1, "give the API a name").max(80, "use at most 80 characters"),
  scopes: z.array(apiScope).max(50, "add at most 50 scopes"),
  tokenFormat: z.enum(["opaque", "jwt"]).default("opaque"),
  tokenAlgorithm: z.enum(SIGNING_ALGORITHMS).default("RS256"),
  environments: resourceEnvironments,
  /** Who may allow a client to request its tokens. */
  attachedBy: z.enum(ATTACHERS).default("admins"),
  /** Clients that registered themselves. */
  strangers: z.enum(STRANGER_POLICIES).default("refused"),
});

/** A scope of the installation; `description` is what users read on the consent page. */
export const scopeView = z.object({
  name: z.string(),
  description: z.string(),
  kind: z.enum(["identity", "api", "account", "console"]),
});

export const resourceView = resourceDraft.extend({ createdAt: at, enabled: z.boolean() });

// registration tokens

export const registrationTokenDraft = z.object({
  name: line.trim().min(1, "say who it is for").max(100, "use at most 100 characters"),
  /** How many clients it may register; null for any number. */
  uses: z.int().min(1, "1 or more").max(10_000, "at most 10000").nullable().default(1),
  expiresInSeconds: z
    .int()
    .min(60, "at least a minute")
    .max(365 * 86_400, "at most a year")
    .nullable()
    .default(7 * 86_400),
});
export const registrationTokenView = z.object({
  id,
  name: z.string(),
  remaining: z.int().nullable(),
  expiresAt: at.nullable(),
  createdAt: at,
});

// webhook secrets

const provider = line.max(64);
export const webhookSecretName = line.trim().min(1, "give it a name, or leave it out").max(80, "use at most 80 characters");
export const webhookSecretQuery = z.object({ provider: provider.optional() }).default({});
export const webhookSecretDraft = z.object({
  provider,
  secret: z.string().max(500, "use at most 500 characters"),
  name: webhookSecretName.optional(),
  endsAt: at.nullish(),
});
export const webhookSecretEnd = z.object({ id, endsAt: at.optional(), confirmLast: z.boolean().default(false) });
export const webhookSecretView = z.object({
  id,
  provider: z.string(),
  name: z.string().nullable(),
  hint: z.string(),
  state: z.enum(["active", "ended", "unreadable"]),
  createdAt: at,
  endsAt: at.nullable(),
  lastMatchedAt: at.nullable(),
});

// blocks of clients that no admin registered

export const clientBlockKey = z.object({ kind: z.enum(CLIENT_BLOCK_KINDS), value: line.min(1, "say what to block").max(255) });
export const clientBlockDraft = clientBlockKey.extend({
  reason: line.trim().max(200, "use at most 200 characters").default(""),
  /** Null until an admin lifts the block. */
  expiresAt: at.nullable().default(null),
});
export const clientBlockView = clientBlockDraft.extend({ createdAt: at });

// deliveries

export const deliveryListItem = z.object({
  id,
  provider: z.string(),
  receivedAt: at,
  outcome: z.enum(DELIVERY_OUTCOMES),
  reason: z.enum(DELIVERY_REASONS),
  status: z.int(),
  eventType: z.string().nullable(),
  eventId: z.string().nullable(),
  ackMs: z.number(),
  /** Number of bytes received; null if reading stopped early. */
  bodyBytes: z.int().nullable(),
  /** The last characters of the signing secret that matched. */
  secretHint: z.string().nullable(),
  address: z.string().nullable(),
});

export const deliveryDetail = deliveryListItem.extend({
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Text, or base64 if the bytes are not UTF-8. */
  body: z.string(),
  bodyEncoding: z.enum(["utf8", "base64"]),
  /** True if fewer bytes were stored than received. */
  truncated: z.boolean(),
  skewSeconds: z.number().nullable(),
  event: z.object({ id, firstDeliveryId: id }).nullable(),
});

// refusals

export const errorId = line.trim().min(1).max(64);

export const refusalView = z.object({
  errorId: z.string(),
  at,
  endpoint: z.string(),
  error: z.string(),
  cause: z.enum(REFUSAL_CAUSES),
  /** What the cause means. */
  explanation: z.string(),
  /** What was wrong in this request. */
  message: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Who can fix it, and how. */
  actor: z.enum(["client developer", "admin", "user", "operator", "nobody"]),
  remedy: z.string(),
  /** The client that the request named; without an application if there is no such client. */
  client: z.object({ clientId: z.string(), applicationName: z.string().nullable(), environment: environment.nullable() }).nullable(),
  address: z.string().nullable(),
});

// users and sessions

export const userView = z.object({
  id,
  email: z.string(),
  name: z.string(),
  role,
  createdAt: at,
  disabledAt: at.nullable(),
  /** Null for users from before this was recorded. */
  registeredBy: z.enum(REGISTRARS).nullable(),
  emailVerifiedAt: at.nullable(),
});

const name = line.trim().min(1, "give a name").max(100, "use at most 100 characters");
export const userDraft = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(254, "use at most 254 characters")
    .pipe(z.email("must be an email address like ada@example.com")),
  name,
  password: z.string().min(10, "use at least 10 characters").max(256, "use at most 256 characters"),
  role,
  /** Takes over an account that somebody else created with this address and never verified; its data is deleted. */
  adopt: z.boolean().optional(),
});
export const userChange = z.object({ id, name: name.optional(), role: role.optional() });

export const sessionView = z.object({
  id,
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: at,
  lastSeenAt: at,
  expiresAt: at,
  /** True for the caller's session. */
  current: z.boolean(),
});

// me

export const meView = z.object({
  user: z.object({ id, email: z.string(), name: z.string(), role }),
  scopes: z.array(z.string()),
  can: z.object({ manageProduction: z.boolean(), manageDevelopment: z.boolean(), manageUsers: z.boolean(), view: z.boolean() }),
});

export const connectedApp = z.object({
  clientId: z.string(),
  applicationName: z.string(),
  environment,
  type: clientType,
  /** `resource` is the API that a scope belongs to; null for the built-in one. */
  scopes: z.array(z.object({ name: z.string(), description: z.string(), resource: z.string().nullable() })),
  allowedAt: at,
  lastUsedAt: at.nullable(),
});

// paging

type FilterSchemas<Of extends Filters> = { [Name in keyof Of]: z.ZodOptional<z.ZodType<NonNullable<FilterValues<Of>[Name]>>> };

/** The input of a list with these filters. `cursor` is the `nextCursor` of the page before. */
export function listInput<Of extends Filters>(filters: Of) {
  const schemas = Object.entries(filters).map(([name, filter]) => [name, filterSchema(filter).optional()]);
  return z.object({ cursor: cursor.nullish(), limit, ...(Object.fromEntries(schemas) as FilterSchemas<Of>) });
}

function filterSchema(filter: Filter): z.ZodType {
  if (filter.kind === "instant") return z.int().min(0);
  return filter.kind === "choice" ? z.enum(filter.values) : line.trim().max(filter.maxLength);
}

/**
 * A page of `item`; `nextCursor` is null on the last page. `searchedBackTo` is set if the search stopped before the page was full:
 * older rows were not examined, and `nextCursor` continues the search there. CO-55.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), searchedBackTo: at.nullable() });
