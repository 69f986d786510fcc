import { z } from "zod";
import { clientBlockKey } from "../client-blocks/schemas.ts";
import { at, clientId, version } from "../fields.ts";
import { SELF_REGISTERED_STATES } from "../lists/lists.ts";

export const selfRegisteredView = z.object({
  clientId: z.string(),
  applicationId: z.string(),
  name: z.string(),
  origin: z.enum(["registered", "dynamic", "metadata_document"]),
  state: z.enum(SELF_REGISTERED_STATES),
  documentHost: z.string().nullable(),
  softwareId: z.string().nullable(),
  redirectUris: z.array(z.string()),
  redirectHosts: z.array(z.string()),
  scopes: z.array(z.string()),
  createdAt: at,
  /** When it last changed; for a metadata document, when it was last fetched. */
  updatedAt: at,
  confirmedAt: at.nullable(),
  approvedAt: at.nullable(),
  /** To the hour. */
  lastUsedAt: at.nullable(),
  /** Counted up to 1,000. */
  users: z.int(),
  moreUsers: z.boolean(),
});

export const selfRegisteredDetail = selfRegisteredView.extend({
  /** Of what the client says about itself. An approval names it. */
  version,
  /** The addresses that the client named of itself. Nobody has checked them. */
  webPages: z.array(z.object({ kind: z.enum(["website", "logo", "policy", "terms"]), url: z.string() })),
  fetchError: z.object({ at, message: z.string(), errorId: z.string() }).nullable(),
  /** The blocks that stop it. */
  blocks: z.array(z.object({ ...clientBlockKey.shape, expiresAt: at.nullable() })),
});

/** An approval is of the client as it was read. */
export const approvalInput = z.discriminatedUnion("approved", [
  z.strictObject({ clientId, approved: z.literal(true), version }),
  z.strictObject({ clientId, approved: z.literal(false) }),
]);

/** The clients of one document host or software id; both null for those that named neither. */
export const selfRegisteredGroup = z.object({
  host: z.string().nullable(),
  software: z.string().nullable(),
  clients: z.int(),
  waiting: z.int(),
  blocked: z.int(),
  firstAt: at,
  lastUsedAt: at.nullable(),
});

export const idleInput = z.strictObject({ idleDays: z.int().min(1, "1 day or more").max(365, "at most 365 days") });
export const idleView = z.object({
  clients: z.int(),
  more: z.boolean(),
  users: z.int(),
  first: z.array(selfRegisteredView),
});
