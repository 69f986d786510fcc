import { type BrandingSettings, brandingProblems } from "@gatehouse/accounts";
import { assertMayManageAll } from "../applications/applications.ts";
import { findApplication } from "../applications/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { ABILITIES, type Actor } from "../permissions.ts";
import { brandOf } from "./branding.ts";

/**
 * Settings that are not saved, for an application or (null) for the installation; `displayName` is the installation's
 * name then.
 */
export type PreviewDraft = { applicationId: string | null; settings: BrandingSettings };

type Part = Pick<OperationDeps, "db" | "config" | "seal" | "now">;
type PreviewTicket = PreviewDraft & { until: number };

const PURPOSE = "branding preview";
const LIFE_SECONDS = 3_600;

/**
 * The URL of the server's own pages with these settings; `page` and `theme` are to be added. It is sealed and valid for
 * an hour: otherwise anybody could put their own name on our pages. Settings that cannot be shown are left out, with
 * the reason of each. Throws `not_found`, and `forbidden` for those who could not save them: they are words of their
 * own on this server's pages. CO-68.
 */
export async function previewBranding(
  { applicationId, settings }: PreviewDraft,
  actor: Actor,
  { db, config, seal, now }: Part,
) {
  if (applicationId !== null) await assertMayManageAll(applicationId, actor, db);
  else if (!ABILITIES[actor.role].manageProduction)
    throw new DomainError("forbidden", "Only admins can change how the installation looks.");
  const leftOut = brandingProblems(settings);
  const shown = Object.fromEntries(
    Object.entries(settings).filter(([name]) => !leftOut.some(({ path }) => path === name)),
  );
  const ticket: PreviewTicket = { applicationId, settings: shown, until: now() + LIFE_SECONDS };
  const query = new URLSearchParams({ ticket: seal.seal(PURPOSE, JSON.stringify(ticket)) });
  return { url: `${config.issuer}/brand/preview?${query}`, leftOut };
}

/**
 * What a ticket shows: the application's name (null for the installation) and how it would look; undefined if it is
 * forged or has expired.
 */
export async function openBrandingPreview(ticket: string, { db, seal, now }: Part) {
  const opened = seal.open(PURPOSE, ticket);
  if (opened === undefined) return undefined;
  const { applicationId, settings, until } = JSON.parse(opened) as PreviewTicket; // sealed by this server
  if (until < now()) return undefined;
  if (applicationId === null) return { application: null, brand: settings };
  const application = await findApplication(db, applicationId);
  const saved = await brandOf(applicationId, { db });
  if (!application) return undefined;
  return {
    application: application.name,
    brand: { ...settings, applicationId, hasLogo: saved?.hasLogo ?? false, version: saved?.version ?? 0 },
  };
}
