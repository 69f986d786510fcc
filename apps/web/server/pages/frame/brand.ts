import type { BrandingSettings, MailBrand } from "@gatehouse/accounts";
import { describePendingRequest } from "@gatehouse/auth";
import { type Brand, brandOf } from "@gatehouse/console/branding/branding";
import type { Frame, FrameBrand } from "../../../views/frame.ts";
import type { App } from "../../start/app.ts";

/** The frame with the branding of a client's application. */
export async function withBrand(
  frame: Frame,
  clientId: string,
  deps: Pick<App["deps"], "store" | "db">,
): Promise<Frame> {
  const brand = await brandOfClient(clientId, deps);
  return brand ? { ...frame, brand: brandFor(brand, frame.brand) } : frame;
}

/**
 * What a branding sets, and for the rest what `base` has; undefined if neither sets anything. `applicationId`: left out
 * for the installation.
 */
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
  return applicationId === undefined
    ? `/brand/logo?v=${version}`
    : `/brand/${encodeURIComponent(applicationId)}/logo?v=${version}`;
}

/** The members that have a value. */
const set = <Value extends object>(members: Value) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Value]?: NonNullable<Value[Name]>;
  };

async function brandOfClient(clientId: string, deps: Pick<App["deps"], "store" | "db">) {
  const applicationId = (await deps.store.findClient(clientId))?.applicationId;
  const brand = applicationId === undefined ? undefined : await brandOf(applicationId, deps);
  return applicationId === undefined || !brand ? undefined : { ...brand, applicationId };
}

/**
 * The branding of mails on the way to an app; undefined without a pending request, and for an app without one. BD-01.
 */
export async function mailBrand(
  sealedRequest: string | undefined,
  { app: { deps } }: { app: Pick<App, "deps"> },
): Promise<MailBrand | undefined> {
  const pending = sealedRequest === undefined ? undefined : await describePendingRequest(sealedRequest, deps);
  const brand = pending && (await brandOfClient(pending.clientId, deps));
  if (!brand) return undefined;
  const { displayName: name, colour, termsUrl: terms, privacyUrl: privacy, supportUrl: support } = brand;
  return { name, colour, links: set({ terms, privacy, support }) };
}
