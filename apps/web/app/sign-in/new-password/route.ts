import { openRequiredChange, replaceRequiredPassword, standingOf } from "@gatehouse/accounts";
import { sourceOf } from "../../../server/pages/account/frame.ts";
import { rememberThisBrowser } from "../../../server/pages/cookies/remembered-browser.ts";
import { passwordProblemWords } from "../../../server/pages/forms/password-problem.ts";
import { seeOther, withCookies } from "../../../server/pages/responses/respond.tsx";
import { requiredPasswordPage } from "../../../server/pages/sign-in/new-password.ts";
import { browserOf, continuationOf, enter, signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { continuationQuery } from "../../../views/sign-in/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/new-password", {
  GET: ({ url }) => seeOther(`/sign-in${continuationQuery(continuationOf(url.searchParams))}`),
  POST: submit,
});

/** Sets the password and starts the session of the sign-in, which has passed the gate. PW-04, UM-03. */
async function submit(visit: Visit): Promise<Response> {
  const { form, app, locale, texts } = visit;
  const ticket = form.get("ticket") ?? "";
  const open = await openRequiredChange({ ticket, browser: browserOf(visit).hash }, app.deps);
  if (!open) return signInPage(visit, { continuation: continuationOf(form), problem: texts.password.mustChangeLate }, 400);
  const { change, person } = open;
  const { userId, signInEpoch } = change;
  const wanted = { userId, signInEpoch, password: form.get("password") ?? "", source: sourceOf(visit), locale };
  const outcome = await replaceRequiredPassword(wanted, app.deps);
  if (outcome.kind === "refused")
    return requiredPasswordPage(person, { ticket, continuation: change.continuation }, visit, {
      problem: passwordProblemWords(outcome.problem, texts),
    });
  const current = outcome.kind === "changed" ? await app.deps.people.findPerson(person.id) : undefined;
  // The change raised the epoch once. Anything more, such as a reset, came after it and ends this sign-in too. §7.
  if (!current || standingOf(current) !== "active" || current.signInEpoch !== signInEpoch + 1)
    return signInPage(visit, { continuation: change.continuation, email: person.email, problem: texts.password.mustChangeLate }, 400);
  const response = await enter(current, change, change.continuation, visit);
  return change.remember ? withCookies(response, [await rememberThisBrowser(current, visit)]) : response;
}
