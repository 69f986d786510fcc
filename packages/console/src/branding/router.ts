import { z } from "zod";
import { id, version } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { getBranding, setBranding, setLogo } from "./branding.ts";
import { previewBranding } from "./preview.ts";
import { brandingSettings, brandingView, logoInput } from "./schemas.ts";

/** How an application looks on the pages of a sign-in. */
export const brandingRouter = router({
  get: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ applicationId: id }))
    .output(brandingView)
    .query(({ ctx, input }) => getBranding(input.applicationId, ctx.deps)),

  /**
   * The URL of the server's own pages with settings that are not saved, for the console's frame. `applicationId`: null
   * for the installation. CO-68.
   */
  preview: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(z.strictObject({ applicationId: id.nullable(), settings: brandingSettings }))
    .output(z.object({ url: z.string(), leftOut: z.array(z.object({ path: z.string(), message: z.string() })) }))
    .query(({ ctx, input }) => previewBranding(input, ctx.actor, ctx.deps)),

  set: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(z.strictObject({ applicationId: id, settings: brandingSettings, version: version.optional() }))
    .output(brandingView)
    .mutation(async ({ ctx, input }) => {
      await setBranding(input, ctx.actor, ctx.deps);
      return getBranding(input.applicationId, ctx.deps);
    }),

  setLogo: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(logoInput)
    .output(brandingView)
    .mutation(async ({ ctx, input }) => {
      await setLogo(input.applicationId, input.logo, ctx.actor, ctx.deps);
      return getBranding(input.applicationId, ctx.deps);
    }),
});
