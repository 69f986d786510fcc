import { type FirstFactor, type Person, sealRequiredChange } from "@gatehouse/accounts";
import { csrfToken } from "@gatehouse/auth";
import { RequiredPasswordPage } from "../../../views/sign-in/new-password.tsx";
import type { Continuation } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { browserOf } from "../cookies/browser.ts";
import { page } from "../responses/respond.tsx";
import type { CompleteSignIn } from "./begin-session.ts";

/** Does this sign-in need a new password before its session? PW-04, UM-03. */
export function mustReplacePassword({ mustChangePassword }: Person, { method }: FirstFactor): boolean {
  return method === "password" && mustChangePassword;
}

/**
 * Seals a complete sign-in for the page that asks for the new password. Only after the gate: a leaked password alone must not set another one
 * for an account with a second factor. PW-04, UM-03.
 */
export function requiredChangeTicket(
  person: Person,
  { factor, proof, keep, canMakePasskey = false, remember = false }: CompleteSignIn & { remember?: boolean },
  continuation: Continuation,
  visit: Visit,
): string {
  const browser = browserOf(visit).hash;
  if (browser === null) throw new Error("the sign-in form was accepted without the browser's cookie");
  const { id: userId, signInEpoch } = person;
  return sealRequiredChange({ userId, signInEpoch, browser, factor, proof, continuation, keep, canMakePasskey, remember }, visit.app.deps);
}

/** The page that asks for the new password. There is no session yet. */
export function requiredPasswordPage(
  { email }: Person,
  { ticket, continuation }: { ticket: string; continuation: Continuation },
  visit: Visit,
  { problem, cookies = [] }: { problem?: string; cookies?: readonly string[] } = {},
): Response {
  const { app, frame, request } = visit;
  const { token, setCookie } = csrfToken(request.headers.get("cookie"), undefined, app.deps);
  const { leastCharacters } = app.deps.passwordRules;
  const content = RequiredPasswordPage({ frame, csrf: token, fields: { ...continuation, ticket }, email, leastCharacters, problem });
  return page(content, { status: problem === undefined ? 200 : 400, cookies: [...cookies, setCookie] });
}
