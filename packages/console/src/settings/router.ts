import { readInstallationLogo, setInstallationLogo } from "../branding/installation-logo.ts";
import { installationLogoInput, installationLogoView } from "../branding/schemas.ts";
import { procedure, router } from "../trpc.ts";
import { countOlder } from "./retention.ts";
import { olderInput, olderView, settingsInput, settingsView } from "./schemas.ts";
import { changeSettings, listSettings } from "./settings.ts";

/** The settings of the installation, which environment variables or the console set. CO-67. */
export const settingsRouter = router({
  list: procedure({ may: "manageProduction", scope: "console:read" })
    .output(settingsView)
    .query(({ ctx }) => listSettings(ctx.deps)),

  /** Applies in all processes within two seconds. Returns what is then in force. */
  change: procedure({ may: "manageProduction", scope: "console:write", fresh: true })
    .input(settingsInput)
    .output(settingsView)
    .mutation(async ({ ctx, input }) => {
      await changeSettings(input, ctx.actor, ctx.deps);
      return listSettings(ctx.deps);
    }),

  logo: procedure({ may: "manageProduction", scope: "console:read" })
    .output(installationLogoView)
    .query(({ ctx }) => readInstallationLogo(ctx.deps)),

  /** The logo of the pages; null removes it. Applies in all processes within two seconds. CO-68. */
  setLogo: procedure({ may: "manageProduction", scope: "console:write", fresh: true })
    .input(installationLogoInput)
    .output(installationLogoView)
    .mutation(async ({ ctx, input: { logo: upload, version } }) => {
      await setInstallationLogo({ upload, version }, ctx.actor, ctx.deps);
      return readInstallationLogo(ctx.deps);
    }),

  /** How much of a log a shorter retention would delete. CO-69. */
  older: procedure({ may: "manageProduction", scope: "console:read" })
    .input(olderInput)
    .output(olderView)
    .query(({ ctx, input }) => countOlder(input, ctx.deps)),
});
