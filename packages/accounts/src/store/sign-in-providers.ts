import type { SignInProvider } from "../upstream/provider.ts";

export type SignInProviderStore = {
  /** All, also those switched off, in the order of their buttons. */
  listSignInProviders(): Promise<SignInProvider[]>;
};
