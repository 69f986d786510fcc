import type { ActiveSession } from "@gatehouse/auth";
import {
  addPasskey,
  addPasskeyPage,
  removeOwnPasskey,
  renameOwnPasskey,
} from "../../../../server/pages/account/security/passkeys.tsx";
import { requireFreshSignIn } from "../../../../server/pages/sign-in/confirm.tsx";
import { route, type Visit } from "../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/security/passkeys", {
  GET: show,
  POST: act,
});

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  return (await requireFreshSignIn(visit)) ?? addPasskeyPage(visit);
}

async function act(visit: Visit<ActiveSession>): Promise<Response> {
  const action = visit.form.get("action");
  if (action === "rename") return renameOwnPasskey(visit);
  return (await requireFreshSignIn(visit)) ?? (action === "remove" ? removeOwnPasskey(visit) : addPasskey(visit));
}
