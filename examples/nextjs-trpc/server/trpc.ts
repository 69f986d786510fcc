import { requires } from "@gatehouse/sdk/trpc";
import { initTRPC } from "@trpc/server";

const t = initTRPC.context<{ headers: Headers }>().create();

export const { router } = t;

/** For signed-in users: `ctx.auth` says who it is. Mutations also have to come from a page of this app. */
export const protectedProcedure = t.procedure.use(requires());
