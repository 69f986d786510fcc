import { type Acr, clientIdOfRequest, mintTimeOrderedId, type SignInFactor } from "@gatehouse/auth";
import type { AccountEventDetail } from "../events/account-event.ts";
import { type AccountRequest, sourceOf } from "../registration/account-request.ts";
import type { Continuation } from "../sign-in/continuation.ts";
import type { SignInDeps } from "../sign-in/sign-in.ts";
import type { SignInAttempt, SignInSubject } from "./attempt.ts";
import { outcomeOf, type SignInCause } from "./causes.ts";
import { emailHash } from "./email-hash.ts";

export type SignInFacts = {
  factor: SignInFactor;
  who: SignInSubject;
  /** Null for one that began a session. */
  cause: SignInCause | null;
  /** Of an attempt that was recorded as unfinished. */
  id?: string | undefined;
  level?: Acr;
  detail?: AccountEventDetail;
  /** The failure ledger has it under this id, which the response names. */
  errorId?: string;
};

const USER_AGENT_LENGTH = 256;
const CLIENT_ID_LENGTH = 200;

/**
 * Records that a sign-in began a session, stopped on the way, or failed: in the sign-in log and, unless it
 * stopped, in the counts for charts. The host's log gets the id and cause of a failure, and so does the response. Never
 * rejects: a sign-in must not fail because it could not be recorded. CO-10, SL-01.
 */
export async function recordSignIn(
  { factor, who, cause, id: given, level, detail = {}, errorId }: SignInFacts,
  { request: pending }: Pick<Continuation, "request">,
  by: AccountRequest,
  deps: SignInDeps,
): Promise<void> {
  const id = given ?? mintTimeOrderedId(deps);
  const outcome = outcomeOf(cause);
  const clientId = pending === undefined ? null : clientIdOfRequest(pending, deps);
  if (outcome !== "unfinished") deps.usage?.signInEnded(factor, cause, clientId);
  if (cause !== null && outcome === "failed" && errorId === undefined)
    by.caller.onRefusal?.({ errorId: id, cause, clientId });
  const { address, userAgent } = sourceOf(by);
  try {
    await deps.people.recordSignIn({
      id,
      at: deps.now(),
      outcome,
      cause,
      factor,
      ...(await subjectOf(who, deps)),
      level: level ?? null,
      clientId: clientId?.slice(0, CLIENT_ID_LENGTH) ?? null,
      address,
      userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
      detail: errorId === undefined ? detail : { ...detail, errorId },
    });
  } catch (error) {
    deps.onError?.(new Error("the sign-in log could not be written", { cause: error }), id, by.caller.requestId);
  }
}

async function subjectOf(
  who: SignInSubject,
  deps: SignInDeps,
): Promise<Pick<SignInAttempt, "userId" | "emailHash" | "typedEmail">> {
  if (who === undefined) return { userId: null, emailHash: null, typedEmail: null };
  if ("userId" in who) return { userId: who.userId, emailHash: null, typedEmail: null };
  const known = "email" in who ? await deps.people.findAccountByEmail(who.email) : undefined;
  if (known) return { userId: known.id, emailHash: null, typedEmail: null };
  const email = "email" in who ? who.email : who.unknownEmail;
  return { userId: null, emailHash: emailHash(email, deps), typedEmail: email };
}
