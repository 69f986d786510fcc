import { siteKey, subjectKey } from "@gatehouse/runtime";
import { normaliseEmail } from "../addresses/email-address.ts";
import { withdrawIfBusy } from "../limits/attempts.ts";
import { isHasherBusy } from "../passwords/hash-queue.ts";
import { judgePassword } from "../passwords/verify-password.ts";
import type { SignInSubject } from "../sign-in-log/attempt.ts";
import type { SignInCause } from "../sign-in-log/causes.ts";
import { recordSignIn } from "../sign-in-log/record.ts";
import { routesByDomain } from "../upstream/domains.ts";
import { findKnownBrowser, openConfirmedBrowser } from "./known-browser.ts";
import { afterFirstFactor } from "./order.ts";
import { findProviderOfAddress } from "./provider.ts";
import type { NextStep, SignInChoices, SignInDeps, SignInRequest } from "./sign-in.ts";

/** What comes of the sign-in form. */
export type PasswordSignIn =
  | { kind: "invalid_email" }
  /** The address was typed alone, since it decides where its user signs in. */
  | { kind: "ask_password" }
  | { kind: "no_password" }
  /** After many failures, this browser has to enter a mailed code first. AB-03. */
  | { kind: "new_browser" }
  | { kind: "wait"; seconds: number }
  | { kind: "wrong" }
  | { kind: "next"; next: NextStep };

/**
 * Signs in with an address and a password, if that is enough. `password`: undefined if the form had no field for it.
 */
export async function signInWithPassword(
  { email, password }: { email: string; password: string | undefined },
  choices: SignInChoices,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<PasswordSignIn> {
  const address = normaliseEmail(email);
  if (address === undefined) return { kind: "invalid_email" };
  const provider = await findProviderOfAddress(address, request.browser, deps);
  // UP-10: whatever the password, and whether or not there is an account.
  if (provider) return { kind: "next", next: { kind: "provider", provider, email: address, ...choices } };
  if (password === undefined && routesByDomain(await deps.people.listSignInProviders()))
    return { kind: "ask_password" };
  if (!password) return { kind: "no_password" };

  const browserId =
    (await findKnownBrowser(address, request.browser, deps)) ?? openConfirmedBrowser(address, request.browser, deps);
  const failed = (cause: SignInCause, who: SignInSubject = { email: address }) =>
    recordSignIn({ factor: "password", cause, who }, choices.continuation, request, deps);
  const needsCode = async () => browserId === undefined && (await deps.limits.needsBrowserCode(email));
  if (await needsCode()) {
    await failed("browser_unknown");
    return { kind: "new_browser" };
  }
  // Not by browser or by what was typed: one account has as many browsers and spellings as its user likes.
  const asker = browserId === undefined ? siteKey(request.caller) : subjectKey("account", address);
  const busy = async (thrown: unknown) => {
    if (isHasherBusy(thrown)) await failed("server_busy");
    throw thrown;
  };
  try {
    deps.hasher.demandPlace(asker); // before the attempt is counted, which takes several writes
  } catch (thrown) {
    return busy(thrown);
  }
  const attempts = deps.limits.signIn(email, browserId, request.caller);
  const seconds = await attempts.begin();
  if (seconds > 0) {
    // Parallel attempts can have reached the limit in between.
    const asksCode = await needsCode();
    await failed(asksCode ? "browser_unknown" : "too_many_attempts");
    return asksCode ? { kind: "new_browser" } : { kind: "wait", seconds };
  }

  const judgement = await withdrawIfBusy(attempts, judgePassword({ email, password, asker }, deps).catch(busy));
  if (!("account" in judgement)) {
    const { cause, userId } = judgement;
    await failed(cause, userId === null ? { unknownEmail: address } : { userId });
    return { kind: "wrong" };
  }
  await attempts.succeeded();
  return {
    kind: "next",
    next: await afterFirstFactor(judgement.account, { method: "password" }, choices, request, deps),
  };
}
