import { CLIENT_ORIGINS, GRANT_TYPES, MAX_REDIRECT_URIS, REFUSAL_CAUSES } from "@gatehouse/auth";
import { z } from "zod";
import { at, clientType, environment, id, line, version } from "../fields.ts";
import { managedView } from "../managed/schemas.ts";
import { clientOptions } from "./option-schemas.ts";

const secretView = z.object({
  id,
  hint: z.string(),
  createdAt: at,
  expiresAt: at.nullable(),
  lastUsedAt: at.nullable(),
});

/** What is known about the use of a live secret. */
const rotationVerdict = z.object({
  state: z.enum(["never_used", "in_use", "quiet", "safe_to_remove"]),
  replacedBy: z.object({ id, hint: z.string(), lastUsedAt: at }).nullable(),
});

export const listedSecret = z.object({
  id,
  hint: z.string(),
  state: z.enum(["live", "ended"]),
  createdAt: at,
  addedBy: z.string().nullable(),
  endsAt: at.nullable(),
  lastUsedAt: at.nullable(),
  usedRecently: z.boolean(),
  /** On each of the last 30 days, oldest first. */
  uses: z.array(z.int()),
  rotation: rotationVerdict.nullable(),
});

const useChart = z.object({
  total: z.int(),
  before: z.null(),
  series: z.array(z.object({ name: z.string(), total: z.int() })),
  bars: z.array(z.object({ at, counts: z.array(z.int()) })),
});

export const clientUseView = z.object({
  at,
  from: at,
  stepSeconds: z.int(),
  tokens: useChart,
  signIns: useChart,
  refusals: useChart,
});

const MAX_SECRET_SECONDS = 90 * 86_400;
/** The last four characters of a secret, typed to end one that is in use. */
export const confirmHint = z.string().max(8).optional();
export const expiresInSeconds = z.int().min(0).max(MAX_SECRET_SECONDS, "at most 90 days").optional();

export const resourceId = line.min(1).max(500, "use at most 500 characters");

export const clientView = z.object({
  clientId: z.string(),
  applicationId: id,
  applicationName: z.string(),
  /** The registrations of one client in several environments have the same name. */
  name: z.string(),
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
  version,
  managed: managedView,
  /** The active ones. */
  secrets: z.array(secretView),
});

const uris = z
  .array(line.max(2048, "use at most 2048 characters"))
  .max(MAX_REDIRECT_URIS, `register at most ${MAX_REDIRECT_URIS} URIs`);

/** The settings that may change after registration: all but type and environment. */
export const clientSettings = z.strictObject({
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

export const clientName = line
  .trim()
  .min(1, "give the client a name, such as Web or iOS")
  .max(40, "use at most 40 characters");

/** `name` may be left out while the application has at most one client. */
export const clientDraft = clientSettings.extend({
  applicationId: id,
  name: clientName.optional(),
  environment,
  type: clientType,
});

/** The secret is returned only here; null for clients without one. */
export const registeredClient = z.object({ client: clientView, secret: z.string().nullable() });

export const uriVerdict = z.discriminatedUnion("ok", [
  /**
   * A URI that it will match, and the most similar one that it will not: `difference` says why, e.g. "with a slash at
   * the end".
   */
  z.object({
    ok: z.literal(true),
    /** What to consider before registering it. */
    warning: z.string().nullable(),
    examples: z.object({ matching: z.string(), refused: z.string(), difference: z.string() }).nullable(),
  }),
  /** `nearest`: the most similar URI that can be registered; null if there is none to propose. */
  z.object({ ok: z.literal(false), message: z.string(), nearest: z.string().nullable() }),
]);

/** `name` may be left out while the application has one client. */
export const promotionPair = z.strictObject({
  applicationId: id,
  name: clientName.optional(),
  from: environment,
  to: environment,
});
const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
/** The versions of both clients; null for one that is not registered. */
export const promotionVersions = z.strictObject({ from: version, to: version.nullable() });
export const promotionDiff = z.object({
  /** False if the client is not registered in the target environment: promoting then registers it. */
  targetExists: z.boolean(),
  /** Why promoting is not possible, e.g. because the types differ; null if it is. */
  blocked: z.string().nullable(),
  versions: promotionVersions,
  /** What to look at twice; `path` names the field. */
  lints: z.array(z.object({ path: z.string(), message: z.string() })),
  fields: z.array(
    z.object({
      /** A setting, or an option as `options.<name>`. */
      field: z.string(),
      /** Null for an option that is not set, and for a client that is not registered. */
      from: fieldValue.nullable(),
      to: fieldValue.nullable(),
      differs: z.boolean(),
      /** False for what each environment has for itself, such as redirect URIs. */
      promoted: z.boolean(),
    }),
  ),
});

export const firstUseView = z.object({
  /** When the client last got a token; null if it never did. */
  tokenAt: at.nullable(),
  /** Its newest refusal in the last ten minutes. */
  refusal: z
    .object({
      errorId: z.string(),
      cause: z.enum(REFUSAL_CAUSES),
      at,
      endpoint: z.string(),
      sentence: z.string(),
      howToFix: z.string(),
    })
    .nullable(),
});
