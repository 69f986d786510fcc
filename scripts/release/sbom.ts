import { readFileSync } from "node:fs";
import { environment, pnpm, run } from "../steps.mjs";

/** What a release consists of: everything that these packages use in production. */
const PACKAGES = ["@gatehouse/server", "@gatehouse/web", "@gatehouse/admin", "@gatehouse/cli", "@gatehouse/sdk"];

export type SbomFormat = "cyclonedx" | "spdx";

/** Writes the SBOM of a release, from the lock file. OP-98 */
export async function writeSbom(format: SbomFormat, to: string): Promise<void> {
  const filters = PACKAGES.map((name) => `--filter=${name}`);
  const options = ["--sbom-format", format, "--prod", "--sbom-type", "application", "--out", to];
  const { code, output } = await run(...pnpm(...filters, "sbom", ...options), {
    env: environment({ CI: "true" }),
    quiet: true,
  });
  if (code !== 0) throw new Error(`pnpm sbom failed:\n${output}`);
}

export type Component = { name: string; version: string; licenses: string[] };

type CycloneDx = {
  components: {
    group?: string;
    name: string;
    version: string;
    licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
  }[];
};

/** The components of an SBOM in CycloneDX. */
export function readComponents(file: string): Component[] {
  const { components }: CycloneDx = JSON.parse(readFileSync(file, "utf8"));
  return components.map(({ group, name, version, licenses = [] }) => ({
    name: group ? `${group}/${name}` : name,
    version,
    licenses: licenses.map((one) =>
      "expression" in one ? one.expression : (one.license.id ?? one.license.name ?? ""),
    ),
  }));
}
