import { verifyPassword } from "@gatehouse/operations";
import { knownBrowser } from "../../server/pages/known-browser.ts";
import { beginSession, continuationOf, finish, signInPage } from "../../server/pages/signing-in.tsx";
import { tooManyAttempts } from "../../server/pages/too-many.tsx";
import { route, type Visit } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in", { GET: show, POST: submit });

function show(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  return signInPage(visit, { continuation: continuationOf(searchParams), email: searchParams.get("email") ?? undefined });
}

async function submit(visit: Visit): Promise<Response> {
  const { form, app, caller } = visit;
  const email = form.get("email")?.trim() ?? "";
  const password = form.get("password") ?? "";
  const continuation = continuationOf(form);

  const browserId = await knownBrowser(email.toLowerCase(), visit.request.headers.get("cookie"), app.deps);
  const attempts = app.attempts.signIn(email, browserId, caller);
  const waitSeconds = await attempts.begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, app, { endpoint: "/sign-in", caller });

  const user = await verifyPassword({ email, password }, app.deps);
  if (!user) return signInPage(visit, { continuation, email, problem: "Incorrect email or password." }, 400);
  await attempts.succeeded();
  const { session, cookies } = await beginSession(user, visit);
  return finish(continuation, { session, user }, cookies, visit);
}
