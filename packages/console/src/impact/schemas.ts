import { GRANT_TYPES } from "@gatehouse/auth";
import { z } from "zod";
import { resourceId } from "../clients/schemas.ts";
import { at, id, line } from "../fields.ts";

/** A change that takes something away from a client. */
export const clientChange = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("disable") }),
  z.strictObject({ kind: z.literal("remove") }),
  z.strictObject({ kind: z.literal("retire_secret"), secretId: id }),
  z.strictObject({ kind: z.literal("redirect_uris"), removed: z.array(line.max(2048)).min(1).max(50) }),
  z.strictObject({
    kind: z.literal("grant_types"),
    removed: z.array(z.enum(GRANT_TYPES)).min(1).max(GRANT_TYPES.length),
  }),
  z.strictObject({ kind: z.literal("scopes"), removed: z.array(line.max(100)).min(1).max(50) }),
  z.strictObject({ kind: z.literal("resources"), removed: z.array(resourceId).min(1).max(50) }),
  z.strictObject({ kind: z.literal("lifetimes") }),
]);

/** `more`: there are others, which were not counted. At most 1,000 are. */
/** A number that is counted up to a limit; `more` if it is larger. */
export const boundedCount = z.object({ count: z.int(), more: z.boolean() });

export const clientImpact = z.object({
  /** Users who lose access, and their grants; null if that can't be told from what is stored. */
  users: boundedCount.nullable(),
  grants: boundedCount.nullable(),
  lastTokenAt: at.nullable(),
  /** Sign-ins, or with a change of scopes tokens, that used what is taken away; null if that isn't counted. */
  signIns30d: z.int().nullable(),
  atOnce: z.array(z.string()),
  later: z.array(z.string()),
});
