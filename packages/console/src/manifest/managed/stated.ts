import type { OperationDeps } from "../../deps.ts";
import type { StatedObject } from "../export/entry.ts";
import type { Manifest } from "../file/manifest.ts";
import { statedApplication } from "../kinds/applications.ts";
import { resourceSettings } from "../kinds/resources.ts";
import { providerSettings } from "../kinds/sign-in-providers.ts";
import { webhookSettings } from "../kinds/webhooks.ts";

/**
 * What the file states about each of its objects. Applications and clients that do not exist yet have no id, and are
 * left out.
 */
export async function statedObjects(manifest: Manifest, deps: OperationDeps): Promise<StatedObject[]> {
  const objects: StatedObject[] = [
    ...manifest.resources.map((wanted) => ({
      kind: "resource" as const,
      object: wanted.id,
      settings: resourceSettings(wanted),
    })),
    ...manifest.webhooks.map((wanted) => {
      const object = wanted.endpoint ?? wanted.provider;
      return { kind: "webhook_endpoint" as const, object, settings: webhookSettings(wanted) };
    }),
    ...manifest.sign_in_providers.map((wanted) => {
      return { kind: "sign_in_provider" as const, object: wanted.id, settings: providerSettings(wanted) };
    }),
  ];
  for (const [at, application] of manifest.applications.entries())
    objects.push(...(await statedApplication(manifest, application, at, deps)));
  return objects;
}
