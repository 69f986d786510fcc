import { afterFirstFactor, type Continuation, type FirstFactor, type NextStep } from "@gatehouse/accounts";
import { sessionCookie, type User } from "@gatehouse/auth";
import { continuationQuery } from "../../../views/continuation.ts";
import type { Visit } from "../../routing/visit.ts";
import { signInRequest } from "../account/request.ts";
import { passkeyOfferCookie, pendingSignInCookie, sessionCookies } from "../cookies/sign-in.ts";
import { seeOther } from "../responses/respond.ts";
import { continueTo } from "./continuation.ts";
import { newPasswordPage } from "./new-password.ts";
import { passkeyOfferPath } from "./passkey-offer.ts";
import { goToProvider } from "./provider/departure.tsx";
import { restorePage } from "./restore.ts";
import { signInPage } from "./sign-in.tsx";

/** Turns what follows a proof into our URLs, pages and cookies. */
export async function nextStepResponse(next: NextStep, visit: Visit): Promise<Response> {
  const { continuation } = next;
  const cookies = nextStepCookies(next, visit);
  switch (next.kind) {
    case "signed_in":
      if (!next.offersPasskey) return continueTo(continuation, next.active, cookies, visit);
      return seeOther(passkeyOfferPath(continuation), { cookies: [...cookies, passkeyOfferCookie(visit)] });
    case "raised":
      return continueTo(continuation, next.active, cookies, visit);
    case "second_step":
      return seeOther(`/sign-in/second-step${continuationQuery(continuation)}`, { cookies });
    case "new_password":
      return newPasswordPage(next.account, { ticket: next.ticket, continuation }, visit);
    case "restore":
      return restorePage(next, visit);
    case "provider":
      return goToProvider(next.provider.id, { ...continuation, keep: next.keep, loginHint: next.email }, visit);
    case "start_again":
      return seeOther(`/sign-in${continuationQuery(continuation)}`);
    case "refused": // the first factors refuse with the same words
      return signInPage(visit, { continuation, problem: visit.texts.signIn.incorrect }, 400);
  }
}

/** The `Set-Cookie` values of the step. The only place where a sign-in sets the session cookie. */
export function nextStepCookies(next: NextStep, visit: Visit): string[] {
  if (next.kind === "signed_in") return sessionCookies(next, visit);
  if (next.kind === "raised") return [sessionCookie(next.secret, next.active.session, visit.app.deps.config)];
  return next.kind === "second_step" ? [pendingSignInCookie(next.pending, visit)] : [];
}

type Choices = {
  continuation: Continuation;
  /** "Keep me signed in". SN-02. */
  keep?: boolean;
};

/**
 * Goes on after a first factor that another page than /sign-in proved. `proved`: as {@link afterFirstFactor} has it.
 * MF-01.
 */
export async function signInResponse(
  proved: Pick<User, "id" | "accessEpoch" | "signInEpoch">,
  factor: FirstFactor,
  { continuation, keep = true }: Choices,
  visit: Visit,
): Promise<Response> {
  const choices = { continuation, keep, canMakePasskey: false };
  return nextStepResponse(await afterFirstFactor(proved, factor, choices, signInRequest(visit), visit.app.deps), visit);
}
