import { ATTACHERS, ENVIRONMENTS, SIGNING_ALGORITHMS, STRANGER_POLICIES } from "@gatehouse/auth";
import { z } from "zod";
import { resourceId } from "../clients/schemas.ts";
import { at, environment, line, version } from "../fields.ts";
import { managedView } from "../managed/schemas.ts";

const apiScope = z.strictObject({
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

export const resourceDraft = z.strictObject({
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

/** The clients that can request tokens for a resource. */
export const resourceUsage = z.object({
  /** At most 1,000 are counted. */
  clients: z.int(),
  more: z.boolean(),
  /** How many of those counted are of production. */
  inProduction: z.int(),
  /** The first ones, by id. */
  first: z.array(
    z.object({
      clientId: z.string(),
      name: z.string(),
      environment,
      applicationId: z.string(),
      applicationName: z.string(),
    }),
  ),
  /** How many of them have each scope of the resource. */
  scopes: z.record(z.string(), z.int()),
});

export const resourceView = z.object({
  ...resourceDraft.shape,
  createdAt: at,
  enabled: z.boolean(),
  version,
  managed: managedView,
});
