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

  // Every try stays counted, unlike elsewhere: here it is success that is worth abusing.
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

/** A taken address is named as one that cannot be used: no more is said than the refusal itself says. */
function faultOf(error: DomainError) {
  if (error.kind === "conflict") return { field: "email" as const, problem: "That e-mail cannot be used. Sign in instead?" };
  return { field: "password" as const, problem: `Choose another password: ${error.problems[0]?.message ?? error.message}.` };
}
