import { challengeOf, pushedAuthorizationRequest } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { endWrite, openRun, sessionOf } from "./run.ts";
import type { Session } from "./session.ts";
import { codeCall, introspection } from "./steps.ts";
import { send, type Trace } from "./trace.ts";

/**
 * Sends what an attacker would, and shows each refused: a redirect URI with a slash more, a wrong verifier, the code
 * once more. The last one revokes everything issued from the code, so the run ends with it. Throws `conflict` before
 * the code was exchanged. CO-42.
 */
export async function checkTry(
  { ticket: sealed, secret }: { ticket: string; secret?: string | undefined },
  author: Author,
  deps: OperationDeps,
): Promise<{ traces: Trace[] }> {
  const open = await openRun(sealed, author, deps);
  const { code, verifier, accessToken } = open.ticket;
  if (code === undefined || verifier === undefined || accessToken === undefined)
    throw new DomainError("conflict", "The negative checks need a run that has exchanged its code.");
  const session = sessionOf(open, secret, author, deps);
  const slash = await slashMore(session);
  const wrong = await refused(
    {
      ...codeCall(code, Buffer.from(deps.random(32)).toString("base64url"), session),
      title: "Refused: a wrong verifier",
      why: "A stolen code is useless without the verifier of its request.",
      section: "RFC 7636 §4.6",
    },
    session,
  );
  const replay = await refused(
    {
      ...codeCall(code, verifier, session),
      title: "Refused: the code once more",
      why: "A code that is used twice was copied, so everything issued from it is revoked.",
      section: "OAuth 2.1 §4.1.3",
    },
    session,
  );
  await deps.db.transaction([endWrite(open.run, open.client, author, deps)]);
  const after = await send(
    {
      ...introspection(accessToken),
      title: "The token is dead",
      why: "The replay revoked what the code was exchanged for, so an API learns that the token is no longer active.",
    },
    session,
  );
  const isDead = after.json["active"] === false;
  return { traces: [slash, wrong, replay, { ...after.trace, outcome: isDead ? "as_expected" : "unexpected" }] };
}

const refused = async (call: Parameters<typeof send>[0], session: Session): Promise<Trace> =>
  (await send({ ...call, expected: [400, 401] }, session)).trace;

function slashMore(session: Session): Promise<Trace> {
  const { deps } = session;
  return refused(
    {
      title: "Refused: a slash more",
      why: "Redirect URIs are compared character by character.",
      section: "RFC 9700 §2.1",
      endpoint: pushedAuthorizationRequest,
      path: "/par",
      form: {
        response_type: "code",
        redirect_uri: `${deps.config.consoleCallback}/`,
        code_challenge: challengeOf(Buffer.from(deps.random(32)).toString("base64url")),
        code_challenge_method: "S256",
      },
      expected: [],
    },
    session,
  );
}
