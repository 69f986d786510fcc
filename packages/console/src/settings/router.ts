import { readInstallationLogo, setInstallationLogo } from "../branding/installation-logo.ts";
import { installationLogoInput, installationLogoView } from "../branding/schemas.ts";
import { procedure, router, securing } from "../trpc.ts";
import { countOlder } from "./retention.ts";
import { olderInput, olderView, settingsInput, settingsView } from "./schemas.ts";
import { changeSettings, listSettings } from "./settings.ts";

const reading = procedure.requires({ role: ["admin"], scope: "console:read" });

/** The settings of the installation, which environment variables or the console set. CO-67. */
export const settingsRouter = router({
  list: reading.output(settingsView).query(({ ctx }) => listSettings(ctx.deps)),

  /** Applies in all processes within two seconds. Returns what is then in force. */
  change: securing
    .input(settingsInput)
    .output(settingsView)
    .mutation(async ({ ctx, input }) => {
      await changeSettings(input, ctx.actor, ctx.deps);
      return listSettings(ctx.deps);
    }),

  logo: reading.output(installationLogoView).query(({ ctx }) => readInstallationLogo(ctx.deps)),

  /** The logo of the pages; null removes it. Applies in all processes within two seconds. CO-68. */
  setLogo: securing
    .input(installationLogoInput)
    .output(installationLogoView)
    .mutation(async ({ ctx, input: { logo: upload, version } }) => {
      await setInstallationLogo({ upload, version }, ctx.actor, ctx.deps);
      return readInstallationLogo(ctx.deps);
    }),

  /** How much of a log a shorter retention would delete. CO-69. */
  older: reading
    .input(olderInput)
    .output(olderView)
    .query(({ ctx, input }) => countOlder(input, ctx.deps)),
});
