import { restoreAccount } from "@gatehouse/accounts";
import { accountRequest } from "../../../server/pages/account/request.ts";
import { browserOf, continuationOf, enterOrReplacePassword, signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/restore", { POST: restore });

/** Restores the account and continues the sign-in in the ticket. RG-10. */
async function restore(visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const continuation = continuationOf(form);
  const restored = await restoreAccount(form.get("ticket") ?? "", browserOf(visit).hash, accountRequest(visit), app.deps);
  if (!restored) return signInPage(visit, { continuation, problem: texts.deletion.restoreDead }, 400);
  const { person, signIn } = restored;
  if (signIn) return enterOrReplacePassword(person, signIn, continuation, visit);
  return signInPage(visit, { continuation, email: person.email, note: texts.deletion.restored });
}
