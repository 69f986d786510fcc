import { type Account, type AccountDeps, signUp } from "@gatehouse/accounts";

/** Signs somebody up who does not verify the address. */
export async function signUpUnverified(
  typed: { email: string; name: string; password: string },
  deps: AccountDeps,
): Promise<Account> {
  const request = { caller: { address: null }, userAgent: null, locale: "en", browser: null };
  const outcome = await signUp(typed, { ...request, continuation: { request: undefined, next: undefined } }, deps);
  if (outcome.kind !== "created") throw new Error(`the sign-up ended with ${outcome.kind}`);
  return outcome.account;
}
