import { type ActiveSession, csrfToken, type Hash } from "@gatehouse/auth";
import type { Visit } from "../../routing/visit.ts";

export type BrowserForm = {
  csrf: string;
  /** The hash of the browser's own cookie, which `cookies` sets if it has none. */
  browser: Hash | null;
  /** `Set-Cookie` values. */
  cookies: readonly (string | undefined)[];
};

/** The CSRF token of a form that is bound to the browser, since its visitors may or may not be signed in. */
export function browserForm({ request, app }: Pick<Visit, "request" | "app">): BrowserForm {
  const { token, setCookie, browser } = csrfToken(request.headers.get("cookie"), undefined, app.deps);
  return { csrf: token, browser, cookies: [setCookie] };
}

/** The CSRF token of a form of a signed-in user. */
export function sessionCsrf({
  request,
  session,
  app,
}: Pick<Visit<ActiveSession>, "request" | "session" | "app">): string {
  return csrfToken(request.headers.get("cookie"), session, app.deps).token;
}
