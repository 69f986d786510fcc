import {
  type ActiveSession,
  cookie,
  cookieName,
  localPath,
  preferLocale,
  readCookie,
  uiLocalesOf,
} from "@gatehouse/auth";
import { chooseLocale, isLocale, type Locale, type Texts, textsFor } from "@gatehouse/languages";
import type { App } from "../../start/app.ts";

type Known = { request: Request; app: Pick<App, "deps" | "settings">; session?: ActiveSession | undefined };

const COOKIE = "locale";
const YEAR_SECONDS = 365 * 86_400;

/**
 * The language of the pending request, of the account, of the browser's cookie or of `Accept-Language`, in this order.
 * LG-01.
 */
export function languageOf(
  sealedRequest: string | undefined,
  { request: { headers }, session, app }: Known,
): { locale: Locale; texts: Texts } {
  const locale = chooseLocale({
    uiLocales: sealedRequest === undefined ? undefined : uiLocalesOf(sealedRequest, app.deps),
    saved: session?.user.locale,
    cookie: readCookie(headers.get("cookie"), cookieName(COOKIE, app.deps.config)),
    acceptLanguage: headers.get("accept-language"),
    default: app.settings.current.defaultLocale,
  });
  return { locale, texts: textsFor(locale) };
}

/**
 * The path back to a page from the fields of the language switch, with the pending request in the language that was
 * chosen.
 */
export function backTo(fields: URLSearchParams, locale: Locale, { deps }: Pick<App, "deps">): string {
  const path = localPath(fields.get("back")) ?? "/";
  const sealed = fields.get("request");
  const next = localPath(fields.get("next"));
  const query = new URLSearchParams(path.split("?")[1]);
  if (sealed !== null) query.set("request", preferLocale(sealed, locale, deps) ?? sealed);
  if (next !== undefined) query.set("next", next);
  return `${path.split("?")[0]}${query.size > 0 ? `?${query}` : ""}`;
}

/** The language that a form names; undefined for one we do not have. */
export function localeFrom(form: URLSearchParams): Locale | undefined {
  const locale = form.get("locale");
  return isLocale(locale) ? locale : undefined;
}

/** `Set-Cookie` for the language that was chosen in this browser. */
export function localeCookie(locale: Locale, { deps }: Pick<App, "deps">): string {
  return cookie(cookieName(COOKIE, deps.config), locale, deps.config, YEAR_SECONDS);
}
