import { clientIdOfRequest, type Deps, type SignInFactor } from "@gatehouse/auth";
import type { Continuation } from "./continuation.ts";

/**
 * Counts a sign-in that began a session, or failed, for the charts: in the environment of the client that asked for it.
 * CO-10.
 */
export function countSignIn(
  outcome: "succeeded" | "failed",
  factor: SignInFactor,
  { request }: Pick<Continuation, "request">,
  deps: Pick<Deps, "usage" | "seal">,
): void {
  deps.usage?.signInEnded(outcome, factor, request === undefined ? null : clientIdOfRequest(request, deps));
}
