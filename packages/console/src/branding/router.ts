import { z } from "zod";
import { id, version } from "../fields.ts";
import { managing, router, viewing } from "../trpc.ts";
import { getBranding, setBranding, setLogo } from "./branding.ts";
import { previewBranding } from "./preview.ts";
import { brandingSettings, brandingView, logoInput } from "./schemas.ts";

/** How an application looks on the pages of a sign-in. */
export const brandingRouter = router({
  get: viewing
    .input(z.strictObject({ applicationId: id }))
    .output(brandingView)
    .query(({ ctx, input }) => getBranding(input.applicationId, ctx.deps)),

  /** The URL of the server's own pages with settings that are not saved, for the console's frame. `applicationId`: null for the installation. CO-68. */
  preview: managing
    .input(z.strictObject({ applicationId: id.nullable(), settings: brandingSettings }))
    .output(z.object({ url: z.string(), leftOut: z.array(z.object({ path: z.string(), message: z.string() })) }))
    .query(({ ctx, input }) => previewBranding(input, ctx.actor, ctx.deps)),

  set: managing
    .input(z.strictObject({ applicationId: id, settings: brandingSettings, version: version.optional() }))
    .output(brandingView)
    .mutation(async ({ ctx, input }) => {
      await setBranding(input, ctx.actor, ctx.deps);
      return getBranding(input.applicationId, ctx.deps);
    }),

  setLogo: managing
    .input(logoInput)
    .output(brandingView)
    .mutation(async ({ ctx, input }) => {
      await setLogo(input.applicationId, input.logo, ctx.actor, ctx.deps);
      return getBranding(input.applicationId, ctx.deps);
    }),
});
