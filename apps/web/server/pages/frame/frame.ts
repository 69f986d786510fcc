import type { BrandingSettings, MailBrand } from "@gatehouse/accounts";
import {
  type ActiveSession,
  cookie,
  cookieName,
  describePendingRequest,
  localPath,
  preferLocale,
  readCookie,
  uiLocalesOf,
} from "@gatehouse/auth";
import { chooseLocale, isLocale, type Locale, type Texts, textsFor } from "@gatehouse/languages";
import { ABILITIES, type Brand, brandOf } from "@gatehouse/operations";
import type { Back, Frame, FrameBrand } from "../../../views/frame.ts";
import type { App } from "../../start/app.ts";

type Known = { request: Request; app: Pick<App, "deps" | "env">; session?: ActiveSession | undefined; form?: URLSearchParams };

const COOKIE = "locale";
const YEAR_SECONDS = 365 * 86_400;

/** The frame of a page, for the pending request in its query or form. */
export function frameOf(known: Known): Frame {
  const back = backOf(known);
  const { app, session } = known;
  const consoleUrl = session !== undefined && ABILITIES[session.user.role].view ? app.env.adminUrl : undefined;
  const brand = brandFor(app.env.brand);
  return { ...languageOf(back.request, known), productName: app.env.productName, back, consoleUrl, brand };
}

/** The same for a pending request that is in neither, but sealed in a ticket. */
function frameFor(sealedRequest: string | undefined, visit: Known & { frame: Frame }): Frame {
  return { ...visit.frame, ...languageOf(sealedRequest, visit) };
}

/** The frame of a page on the way to an app, with the app's branding. `sealedRequest`: as in {@link frameFor}. */
export async function brandedFrame(visit: Known & { frame: Frame }, sealedRequest = visit.frame.back.request): Promise<Frame> {
  const frame = sealedRequest === visit.frame.back.request ? visit.frame : frameFor(sealedRequest, visit);
  const { deps } = visit.app;
  const pending = sealedRequest === undefined ? undefined : await describePendingRequest(sealedRequest, deps);
  return pending ? withBrand(frame, pending.clientId, deps) : frame;
}

/** The frame with the branding of a client's application. */
export async function withBrand(frame: Frame, clientId: string, deps: Pick<App["deps"], "store" | "handle">): Promise<Frame> {
  const brand = await brandOfClient(clientId, deps);
  return brand ? { ...frame, brand: brandFor(brand, frame.brand) } : frame;
}

/** What a branding sets, and for the rest what `base` has; undefined if neither sets anything. `applicationId`: left out for the installation. */
export function brandFor(
  settings: BrandingSettings & Partial<Pick<Brand, "hasLogo" | "version">> & { applicationId?: string | undefined },
  base?: FrameBrand,
): FrameBrand | undefined {
  const { displayName, colour, termsUrl, privacyUrl, supportUrl, hasLogo } = settings;
  const links = { terms: termsUrl, privacy: privacyUrl, support: supportUrl };
  const own = {
    name: displayName,
    logo: hasLogo ? logoUrl(settings) : undefined,
    stylesheet: colour === undefined ? undefined : `/brand/colours/${colour.slice(1)}`,
  };
  const given = [...Object.values(own), ...Object.values(links)].some((value) => value !== undefined);
  if (!given) return base;
  return { ...base, ...set(own), links: { ...base?.links, ...set(links) } };
}

function logoUrl({ applicationId, version = 0 }: { applicationId?: string | undefined; version?: number }): string {
  return applicationId === undefined ? `/brand/logo?v=${version}` : `/brand/${encodeURIComponent(applicationId)}/logo?v=${version}`;
}

/** The members that have a value. */
const set = <Value extends object>(members: Value) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Value]?: NonNullable<Value[Name]>;
  };

async function brandOfClient(clientId: string, deps: Pick<App["deps"], "store" | "handle">) {
  const applicationId = (await deps.store.findClient(clientId))?.applicationId;
  const brand = applicationId === undefined ? undefined : await brandOf(applicationId, deps);
  return applicationId === undefined || !brand ? undefined : { ...brand, applicationId };
}

/** The branding of mails on the way to an app; undefined without a pending request, and for an app without one. BD-01. */
export async function mailBrand(sealedRequest: string | undefined, { app: { deps } }: Pick<Known, "app">): Promise<MailBrand | undefined> {
  const pending = sealedRequest === undefined ? undefined : await describePendingRequest(sealedRequest, deps);
  const brand = pending && (await brandOfClient(pending.clientId, deps));
  if (!brand) return undefined;
  const { displayName: name, colour, termsUrl: terms, privacyUrl: privacy, supportUrl: support } = brand;
  return { name, colour, links: set({ terms, privacy, support }) };
}

/** The language of the pending request, of the account, of the browser's cookie or of `Accept-Language`, in this order. LG-01. */
function languageOf(sealedRequest: string | undefined, { request: { headers }, session, app }: Known): { locale: Locale; texts: Texts } {
  const locale = chooseLocale({
    uiLocales: sealedRequest === undefined ? undefined : uiLocalesOf(sealedRequest, app.deps),
    saved: session?.user.locale,
    cookie: readCookie(headers.get("cookie"), cookieName(COOKIE, app.deps.config)),
    acceptLanguage: headers.get("accept-language"),
    default: app.env.defaultLocale,
  });
  return { locale, texts: textsFor(locale) };
}

function backOf({ request, form }: Known): Back {
  const { pathname, searchParams } = new URL(request.url);
  const fields = request.method === "POST" ? (form ?? new URLSearchParams()) : searchParams;
  const back = { request: fields.get("request") ?? undefined, next: localPath(fields.get("next")) };
  // Not by `delete`, which moves all that follow a parameter for each of its repeats.
  const rest = new URLSearchParams([...searchParams].filter(([name]) => name !== "request" && name !== "next" && name !== "csrf"));
  return { back: `${pathname}${rest.size > 0 ? `?${rest}` : ""}`, ...back };
}

/** The path back to a page from the fields of the language switch, with the pending request in the language that was chosen. */
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
