import { changedMeanwhile } from "../audit/conflict.ts";
import { auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";
import { asDataUrl, describeLogo, logoFrom } from "../pictures/logo.ts";
import { SETTINGS_OBJECT } from "../settings/settings.ts";
import { findInstallationLogo, type LogoVersion, saveInstallationLogo } from "./installation-logo-queries.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "settings">;

/** The logo of the installation; undefined without one. */
export async function getInstallationLogo({ db }: Pick<Part, "db">) {
  return (await findInstallationLogo(db)).logo;
}

/** The same for the console's form, as a `data:` URL, with the version that a change has to name. */
export async function readInstallationLogo({ db }: Pick<Part, "db">) {
  const { logo, version } = await findInstallationLogo(db);
  return { logo: logo ? asDataUrl(logo) : null, version };
}

/**
 * Replaces the logo that pages show where an application has none of its own, or removes it (null). Applies in this
 * process when this returns, and in all others within two seconds. Throws `invalid` for what is not a picture or too
 * large, and `conflict` if the logo was changed since `version`. CO-68.
 */
export async function setInstallationLogo(
  { upload, version }: { upload: Uint8Array | null } & Pick<LogoVersion, "version">,
  author: Author,
  deps: Part,
): Promise<void> {
  const logo = upload && (await logoFrom(upload));
  const before = await findInstallationLogo(deps.db);
  const conflict = async () => {
    const now = await findInstallationLogo(deps.db);
    return changedMeanwhile(
      { object: SETTINGS_OBJECT, theirs: { logo: describeLogo(now.logo) }, version: now.version },
      deps,
    );
  };
  if (before.version !== version) throw await conflict();
  const changes = { logo: { before: describeLogo(before.logo), after: describeLogo(logo) } };
  const also = [
    auditWrite(
      author,
      { action: "settings.update", object: SETTINGS_OBJECT, objectName: "Settings", detail: { changes } },
      deps,
    ),
  ];
  if (!(await saveInstallationLogo(deps.db, logo, { version, now: deps.now(), also }))) throw await conflict();
  await deps.settings?.load();
}
