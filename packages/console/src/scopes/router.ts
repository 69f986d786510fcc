import { scopesOf } from "@gatehouse/auth";
import { z } from "zod";
import { procedure, router } from "../trpc.ts";

/** A scope of the installation; `description` is what users read on the consent page. */
const scopeView = z.object({
  name: z.string(),
  description: z.string(),
  kind: z.enum(["identity", "api", "account", "console"]),
});

/**
 * The scopes that a client may be registered for, Gatehouse's and the product's; those of registered resources are in
 * `resources`.
 */
export const scopesRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .output(z.array(scopeView))
    .query(({ ctx }) =>
      Object.entries(scopesOf(ctx.deps.config)).map(([name, definition]) => ({ name, ...definition })),
    ),
});
