import { z } from "zod";
import { id, role } from "../fields.ts";

export const meView = z.object({
  /** `email` and `name` are null for an application whose token lacks the scope `email` or `profile`. */
  user: z.object({ id, email: z.string().nullable(), name: z.string().nullable(), role }),
  scopes: z.array(z.string()),
  /** How much longer the sign-in is fresh enough for sensitive changes. */
  freshForSeconds: z.int(),
  can: z.object({
    manageProduction: z.boolean(),
    manageDevelopment: z.boolean(),
    manageUsers: z.boolean(),
    view: z.boolean(),
  }),
  /** The installation's data is made up, and cannot be changed. */
  demo: z.boolean(),
});
