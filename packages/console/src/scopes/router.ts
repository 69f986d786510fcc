import { scopesOf } from "@gatehouse/auth";
import { z } from "zod";
import { scopeView } from "../resources/schemas.ts";
import { procedure, router } from "../trpc.ts";

/** The scopes that a client may be registered for, Gatehouse's and the product's; those of registered resources are in `resources`. */
export const scopesRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .output(z.array(scopeView))
    .query(({ ctx }) => Object.entries(scopesOf(ctx.deps.config)).map(([name, definition]) => ({ name, ...definition }))),
});
