import { provePasskey } from "@gatehouse/accounts";
import { seeOther } from "../../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../../server/pages/responses/too-many-attempts.tsx";
import { countSignIn } from "../../../server/pages/sign-in/count-sign-in.ts";
import { actingBrowser, postedCeremony } from "../../../server/pages/sign-in/passkeys.ts";
import { browserOf, continuationOf, signedIn, signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { continuationQuery } from "../../../views/sign-in/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/passkey", {
  GET: ({ url }) => seeOther(`/sign-in${continuationQuery(continuationOf(url.searchParams))}`),
  POST: submit,
});

async function submit(visit: Visit): Promise<Response> {
  const { form, app, caller, frame } = visit;
  const texts = frame.texts.passkeys;
  const continuation = continuationOf(form);
  const posted = postedCeremony(form);
  if (posted.credential === "") return signInPage(visit, { continuation, problem: texts.empty }, 400);

  const attempts = app.deps.limits.passkey(caller);
  const waitSeconds = await attempts.begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, "/sign-in/passkey");
  const expected = { purpose: "sign_in", browser: browserOf(visit).hash ?? "", userId: null } as const;
  const proof = await provePasskey(posted, expected, actingBrowser(visit), app.deps);
  if (proof.kind === "refused") {
    countSignIn("failed", "passkey", continuation, visit);
    const { unknownCredentialId } = proof;
    return signInPage(visit, { continuation, problem: texts.refused, unknownCredentialId }, 400);
  }
  await attempts.succeeded();
  const factor = { method: "passkey", credentialId: proof.passkey.credentialId } as const;
  return signedIn(proof.person, factor, { continuation, keep: form.get("keep") !== "" }, visit);
}
