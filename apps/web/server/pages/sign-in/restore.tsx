/** @jsxImportSource preact */
import { type Person, sealRestoreTicket } from "@gatehouse/accounts";
import { browserHash, csrfToken } from "@gatehouse/auth";
import { RestorePage } from "../../../views/account/delete.tsx";
import type { Continuation } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { page } from "../responses/respond.tsx";
import type { CompleteSignIn } from "./begin-session.ts";

/** After a sign-in that passed the gate: the offer to restore an account that is to be deleted. Restoring it goes on with the sign-in. RG-10. */
export function restoreOffer(person: Person, signIn: CompleteSignIn, continuation: Continuation, { app, request, frame }: Visit): Response {
  const { deleteAfter } = person;
  if (deleteAfter === null) throw new Error("only an account that is to be deleted can be restored");
  const header = request.headers.get("cookie");
  const ticket = sealRestoreTicket(person, browserHash(header, app.deps), signIn, app.deps);
  const { token } = csrfToken(header, undefined, app.deps);
  return page(<RestorePage frame={frame} csrf={token} ticket={ticket} deleteAfter={deleteAfter} {...continuation} />);
}
