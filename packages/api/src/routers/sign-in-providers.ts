import {
  createSignInProvider,
  getSignInProvider,
  listSignInPresets,
  listSignInProviders,
  removeSignInProvider,
  setSignInProviderEnabled,
  testSignInProvider,
  updateSignInProvider,
} from "@gatehouse/operations";
import * as schema from "@gatehouse/operations/schemas";
import { z } from "zod";
import { administering, configuringSignIn, router, viewing } from "../trpc.ts";

/** The providers that users sign in with, such as Google. UP-01. */
export const signInProvidersRouter = router({
  list: viewing.output(z.array(schema.signInProviderView)).query(({ ctx }) => listSignInProviders(ctx.deps)),

  get: viewing
    .input(schema.signInProviderRef)
    .output(schema.signInProviderView)
    .query(({ ctx, input }) => getSignInProvider(input.id, ctx.deps)),

  /** Every kind of provider, with the steps that set it up. */
  presets: viewing.output(z.array(schema.signInPresetView)).query(() => listSignInPresets()),

  create: configuringSignIn
    .input(schema.signInProviderDraft)
    .output(schema.signInProviderView)
    .mutation(({ ctx, input }) => createSignInProvider(input, ctx.actor, ctx.deps)),

  /** The secret stays unless there is a new one. */
  update: configuringSignIn
    .input(schema.signInProviderChange)
    .output(schema.signInProviderView)
    .mutation(({ ctx, input }) => updateSignInProvider(input, ctx.actor, ctx.deps)),

  /** Nobody signs in with a provider that is switched off. */
  setEnabled: configuringSignIn
    .input(schema.signInProviderSwitch)
    .output(schema.signInProviderView)
    .mutation(({ ctx, input }) => setSignInProviderEnabled(input, ctx.actor, ctx.deps)),

  remove: configuringSignIn
    .input(schema.signInProviderRef)
    .output(z.void())
    .mutation(({ ctx, input }) => removeSignInProvider(input.id, ctx.actor, ctx.deps)),

  /** Asks the provider whether the settings work. Changes nothing, and signs nobody in. */
  test: administering
    .input(schema.signInProviderRef)
    .output(z.array(schema.signInProviderCheck))
    .mutation(({ ctx, input }) => testSignInProvider(input.id, ctx.deps)),
});
