import { readName } from "@gatehouse/accounts";
import { type ActiveSession, csrfToken } from "@gatehouse/auth";
import { renameUser, saveLocale } from "@gatehouse/console/users/profile";
import { ProfilePage, type ProfileProps } from "../../../views/account/profile.tsx";
import type { Visit } from "../../routing/visit.ts";
import { localeCookie, localeFrom } from "../frame/language.ts";
import { page, seeOther } from "../responses/respond.ts";
import { accountFrame } from "./frame.ts";
import { sourceOf } from "./request.ts";

/** The account page. */
export async function showProfile(visit: Visit<ActiveSession>): Promise<Response> {
  const { account, verifyEmail, email } = visit.texts;
  const notices = { ...account.notices, email_verified: verifyEmail.verified, email_changed: email.changed };
  return profile(visit, await accountFrame(visit, notices));
}

/** /verify-email takes the token of the browser, since it has pages for people who are not signed in. RG-02. */
function profile(visit: Visit<ActiveSession>, props: ProfileProps, status = 200): Response {
  const { deps } = visit.app;
  const isOpen = props.user.emailVerifiedAt === null && deps.mail.available;
  const verification = isOpen ? csrfToken(visit.request.headers.get("cookie"), undefined, deps) : undefined;
  return page(ProfilePage({ ...props, verifyCsrf: verification?.token }), {
    status,
    cookies: [verification?.setCookie],
  });
}

/** Saves the name and the language. RG-09, LG-01. */
export async function submitProfile(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, session, app, texts } = visit;
  const typed = form.get("name") ?? "";
  const name = readName(typed);
  if (name === undefined) {
    const refused = { problem: texts.signUp.nameInvalid, field: "name" as const, name: typed.slice(0, 200) };
    return profile(visit, { ...(await accountFrame(visit)), ...refused }, 400);
  }
  const userId = session.user.id;
  if (name !== session.user.name) await renameUser(name, { userId, source: sourceOf(visit) }, app.deps);
  const locale = localeFrom(form);
  if (locale && locale !== session.user.locale) await saveLocale(locale, userId, app.deps);
  return seeOther("/account?notice=saved", { cookies: [locale && localeCookie(locale, app)] });
}
