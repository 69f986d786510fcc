import { DomainError, signUpUser } from "@gatehouse/operations";
import { readSignUp } from "../../server/pages/sign-up.ts";
import { beginSession, continuationOf, finish, signUpPage } from "../../server/pages/signing-in.tsx";
import { tooManyAttempts } from "../../server/pages/too-many.tsx";
import { route, type Visit } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-up", { GET: show, POST: submit });

function show(visit: Visit): Promise<Response> {
  return signUpPage(visit, { continuation: continuationOf(visit.url.searchParams) });
}

async function submit(visit: Visit): Promise<Response> {
  const { form, app, caller } = visit;
  const continuation = continuationOf(form);
  const { draft, fault } = readSignUp(form);
  if (fault) return signUpPage(visit, { continuation, ...draft, ...fault }, 400);

  // Successful attempts stay counted too: creating accounts is what an abuser wants.
  const waitSeconds = await app.attempts.signUp(caller).begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, app, { endpoint: "/sign-up", caller });

  try {
    const user = await signUpUser(draft, app.deps);
    const { session, cookies } = await beginSession(user, visit);
    return finish(continuation, { session, user }, cookies, visit);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return signUpPage(visit, { continuation, ...draft, ...faultOf(error) }, 400);
  }
}

/** The message for a taken address says only what the rejection itself reveals. */
function faultOf(error: DomainError) {
  if (error.kind === "conflict") return { field: "email" as const, problem: "You can't sign up with that email. Try signing in instead." };
  return { field: "password" as const, problem: `Choose a different password: ${error.problems[0]?.message ?? error.message}.` };
}
