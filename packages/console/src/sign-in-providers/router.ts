import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import { testSignInProvider } from "./check.ts";
import {
  createSignInProvider,
  getSignInProvider,
  listSignInProviders,
  removeSignInProvider,
  setSignInProviderEnabled,
  updateSignInProvider,
} from "./providers.ts";
import {
  signInPresetView,
  signInProviderChange,
  signInProviderCheck,
  signInProviderDraft,
  signInProviderRef,
  signInProviderSwitch,
  signInProviderView,
  signInTestReport,
  signInTestResult,
  signInTestStart,
} from "./schemas.ts";
import { finishSignInTest, startSignInTest } from "./test-sign-in.ts";
import { listSignInPresets } from "./view.ts";

/** The providers that users sign in with, such as Google. UP-01. */
export const signInProvidersRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .output(z.array(signInProviderView))
    .query(({ ctx }) => listSignInProviders(ctx.deps)),

  get: procedure({ may: "view", scope: "console:read" })
    .input(signInProviderRef)
    .output(signInProviderView)
    .query(({ ctx, input }) => getSignInProvider(input.id, ctx.deps)),

  /** Every kind of provider, with the steps that set it up. */
  presets: procedure({ may: "view", scope: "console:read" })
    .output(z.array(signInPresetView))
    .query(() => listSignInPresets()),

  create: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(signInProviderDraft)
    .output(signInProviderView)
    .mutation(({ ctx, input }) => createSignInProvider(input, ctx.actor, ctx.deps)),

  /** The secret stays unless there is a new one. */
  update: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(signInProviderChange)
    .output(signInProviderView)
    .mutation(({ ctx, input }) => updateSignInProvider(input, ctx.actor, ctx.deps)),

  /** Nobody signs in with a provider that is switched off. */
  setEnabled: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(signInProviderSwitch)
    .output(signInProviderView)
    .mutation(({ ctx, input }) => setSignInProviderEnabled(input, ctx.actor, ctx.deps)),

  remove: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(signInProviderRef)
    .output(z.void())
    .mutation(({ ctx, input }) => removeSignInProvider(input.id, ctx.actor, ctx.deps)),

  /** Begins a sign-in at the provider for the caller's own browser, which signs nobody in. Returns where. */
  startTest: procedure({ may: "manageUsers", scope: "console:write", fresh: true })
    .input(signInProviderRef)
    .output(signInTestStart)
    .mutation(({ ctx, input }) => startSignInTest(input.id, ctx.actor, ctx.deps)),

  /** What the browser brought back from it. */
  finishTest: procedure({ may: "manageUsers", scope: "console:write" })
    .input(signInTestReport)
    .output(signInTestResult)
    .mutation(({ ctx, input }) => finishSignInTest(input, ctx.actor, ctx.deps)),

  /** Asks the provider whether the settings work. Changes nothing, and signs nobody in. */
  test: procedure({ may: "manageProduction", scope: "console:write" })
    .input(signInProviderRef)
    .output(z.array(signInProviderCheck))
    .mutation(({ ctx, input }) => testSignInProvider(input.id, ctx.deps)),
});
