import { takeSecondStep } from "@gatehouse/accounts";
import { signInRequest } from "../../../server/pages/account/request.ts";
import { noPendingSignInCookie } from "../../../server/pages/cookies/sign-in.ts";
import { withCookies } from "../../../server/pages/responses/respond.ts";
import { continuationOf } from "../../../server/pages/sign-in/continuation.ts";
import { nextStepResponse } from "../../../server/pages/sign-in/next-step.ts";
import {
  continueAfterCodes,
  secondStepAgain,
  showSecondStep,
  stepFormOf,
} from "../../../server/pages/sign-in/second-step.ts";
import { newCodesPage } from "../../../server/pages/sign-in/second-step-page.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/second-step", {
  GET: showSecondStep,
  POST: submit,
});

async function submit(visit: Visit): Promise<Response> {
  const { form, session: active, app } = visit;
  const continuation = continuationOf(form);
  const continued = await continueAfterCodes(continuation, visit);
  if (continued) return continued;
  const outcome = await takeSecondStep(stepFormOf(form), { continuation, active }, signInRequest(visit), app.deps);
  if (outcome.kind !== "next") return secondStepAgain(outcome, continuation, visit);
  const { next, codes, endsPending } = outcome;
  const response = await (codes ? newCodesPage(codes, next, visit) : nextStepResponse(next, visit));
  return withCookies(response, endsPending ? [noPendingSignInCookie(visit)] : []);
}
