import { z } from "zod";
import { administering, configuringSignIn, router, viewing } from "../trpc.ts";
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
} from "./schemas.ts";
import { testSignInProvider } from "./test.ts";
import { listSignInPresets } from "./view.ts";

/** The providers that users sign in with, such as Google. UP-01. */
export const signInProvidersRouter = router({
  list: viewing.output(z.array(signInProviderView)).query(({ ctx }) => listSignInProviders(ctx.deps)),

  get: viewing
    .input(signInProviderRef)
    .output(signInProviderView)
    .query(({ ctx, input }) => getSignInProvider(input.id, ctx.deps)),

  /** Every kind of provider, with the steps that set it up. */
  presets: viewing.output(z.array(signInPresetView)).query(() => listSignInPresets()),

  create: configuringSignIn
    .input(signInProviderDraft)
    .output(signInProviderView)
    .mutation(({ ctx, input }) => createSignInProvider(input, ctx.actor, ctx.deps)),

  /** The secret stays unless there is a new one. */
  update: configuringSignIn
    .input(signInProviderChange)
    .output(signInProviderView)
    .mutation(({ ctx, input }) => updateSignInProvider(input, ctx.actor, ctx.deps)),

  /** Nobody signs in with a provider that is switched off. */
  setEnabled: configuringSignIn
    .input(signInProviderSwitch)
    .output(signInProviderView)
    .mutation(({ ctx, input }) => setSignInProviderEnabled(input, ctx.actor, ctx.deps)),

  remove: configuringSignIn
    .input(signInProviderRef)
    .output(z.void())
    .mutation(({ ctx, input }) => removeSignInProvider(input.id, ctx.actor, ctx.deps)),

  /** Asks the provider whether the settings work. Changes nothing, and signs nobody in. */
  test: administering
    .input(signInProviderRef)
    .output(z.array(signInProviderCheck))
    .mutation(({ ctx, input }) => testSignInProvider(input.id, ctx.deps)),
});
