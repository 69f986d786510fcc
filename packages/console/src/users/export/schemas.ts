import { z } from "zod";
import { role } from "../../fields.ts";
import { USER_FILTERS } from "../../lists/lists.ts";
import { filterInput } from "../../paging.ts";

export const userExportDraft = z.strictObject({ filter: filterInput(USER_FILTERS).default({}) });

/** Users as `gatehouse users import` reads them, without password hashes. UM-08. */
export const userExportPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      name: z.string().optional(),
      role: role.optional(),
      email_verified: z.boolean().optional(),
      external_id: z.string().optional(),
      locale: z.string().optional(),
      disabled: z.boolean().optional(),
      /** ISO 8601, UTC. */
      created_at: z.string(),
      identities: z
        .array(
          z.object({ provider: z.string(), issuer: z.string(), subject: z.string(), email: z.string().optional() }),
        )
        .optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
