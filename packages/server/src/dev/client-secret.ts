import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@gatehouse/console/manifest/file/manifest";
import { parseEnv } from "@gatehouse/runtime/env-file";

/** The variables in the product's `.env.local`: they are the product's, and none of them is a setting here. PK-18 */
export function productVariables(project: string): Record<string, string> {
  const file = join(project, ".env.local");
  return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
}

/**
 * The configuration, in which the development client that the product has in GATEHOUSE_CLIENT_ID has the secret of
 * GATEHOUSE_CLIENT_SECRET: the file is committed, and so has none. PK-22
 */
export function withClientSecret(manifest: Manifest, product: Readonly<Record<string, string>>): Manifest {
  const { GATEHOUSE_CLIENT_ID: id, GATEHOUSE_CLIENT_SECRET: secrets } = product;
  const [secret] = secrets?.split(",") ?? [];
  if (!id || !secret) return manifest;
  const applications = manifest.applications.map((application) => {
    const { development } = application.environments ?? {};
    if (development?.client_id !== id || development.client_secret !== undefined) return application;
    return {
      ...application,
      environments: { ...application.environments, development: { ...development, client_secret: secret } },
    };
  });
  return { ...manifest, applications };
}
