import { procedure, router } from "../trpc.ts";
import { statusView } from "./schemas.ts";
import { getStatus } from "./status.ts";

/** Whether the installation is well. */
export const statusRouter = router({
  get: procedure({ may: "manageProduction", scope: "console:read" })
    .output(statusView)
    .query(({ ctx }) => getStatus(ctx.deps)),
});
