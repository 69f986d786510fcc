import { type BrandingSettings, brandingProblems } from "@gatehouse/accounts";
import type { WriteQuery } from "@gatehouse/db/query/db";
import { assertMayManageAll } from "../applications/applications.ts";
import { type ApplicationRow, findApplication } from "../applications/queries.ts";
import { changedMeanwhile } from "../audit/conflict.ts";
import { type AuditDeps, auditWrite, changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { invalid } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import type { Author } from "../permissions.ts";
import { asDataUrl, describeLogo, logoFrom } from "../pictures/logo.ts";
import { type BrandingRow, findBranding, findLogo, saveBranding } from "./queries.ts";

/** How an application looks on the pages of a sign-in, and in mails. BD-01. */
export type Brand = BrandingSettings & {
  /** Names what browsers cached of its logo and stylesheet. */
  version: number;
  hasLogo: boolean;
};

/** The branding of an application; undefined if it looks as the product does. */
export async function brandOf(applicationId: string, { db }: Pick<OperationDeps, "db">): Promise<Brand | undefined> {
  const row = await findBranding(db, applicationId);
  return row && { ...row.settings, hasLogo: row.hasLogo, version: row.updatedAt };
}

const UNBRANDED: BrandingRow = { settings: {}, hasLogo: false, updatedAt: 0 };

/** The branding for the console's form, with the logo as a `data:` URL. */
export async function getBranding(applicationId: string, deps: Pick<OperationDeps, "db">) {
  const { settings, hasLogo, updatedAt } = (await findBranding(deps.db, applicationId)) ?? UNBRANDED;
  const logo = hasLogo ? await findLogo(deps.db, applicationId) : undefined;
  return { settings, logo: logo ? asDataUrl(logo) : null, version: updatedAt };
}

/**
 * Replaces the settings. Throws `invalid` for a setting that cannot be shown, `conflict` if the branding was saved
 * since `version`. Users of every environment see them.
 */
export async function setBranding(
  {
    applicationId,
    settings,
    version,
  }: { applicationId: string; settings: BrandingSettings; version?: number | undefined },
  author: Author,
  deps: AuditDeps,
): Promise<void> {
  await assertMayManageAll(applicationId, author, deps.db);
  await assertUnlocked("application", applicationId, author, deps);
  const problems = brandingProblems(settings);
  if (problems.length > 0) throw invalid(problems);
  const before = await getBranding(applicationId, deps);
  const conflict = ({ settings: theirs, version: now }: Awaited<ReturnType<typeof getBranding>>) =>
    changedMeanwhile({ object: applicationId, theirs, version: now }, deps);
  if (version !== undefined && version !== before.version) throw await conflict(before);
  const changes = changedFields(before.settings, { ...noneOf(before.settings), ...settings });
  if (Object.keys(changes).length === 0) return;
  const application = await findApplication(deps.db, applicationId);
  const also = [audited(application, { changes }, author, deps)];
  if (!(await saveBranding(deps.db, applicationId, { settings }, deps.now(), { version, also })))
    throw await conflict(await getBranding(applicationId, deps));
}

/** Replaces the logo, or removes it (null). Throws `invalid` for what is not a picture or too large. */
export async function setLogo(
  applicationId: string,
  upload: Uint8Array | null,
  author: Author,
  deps: AuditDeps,
): Promise<void> {
  await assertMayManageAll(applicationId, author, deps.db);
  const logo = upload && (await logoFrom(upload));
  const known = await findLogo(deps.db, applicationId);
  const changes = { logo: { before: describeLogo(known), after: describeLogo(logo) } };
  const also = [audited(await findApplication(deps.db, applicationId), { changes }, author, deps)];
  await saveBranding(deps.db, applicationId, { logo }, deps.now(), { also });
}

/** The members of an object, all null: a setting that is left out is removed. */
const noneOf = (settings: object) => Object.fromEntries(Object.keys(settings).map((name) => [name, null]));

function audited(
  application: ApplicationRow | undefined,
  detail: Record<string, unknown>,
  author: Author,
  deps: AuditDeps,
): WriteQuery {
  const { id = "", name } = application ?? {};
  return auditWrite(author, { action: "branding.update", object: id, objectName: name, detail }, deps);
}

/** The logo of an application; undefined without one. */
export function getLogo(applicationId: string, { db }: Pick<OperationDeps, "db">) {
  return findLogo(db, applicationId);
}
