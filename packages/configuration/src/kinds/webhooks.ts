import { configureEndpoint, type OperationDeps, planEndpoint } from "@gatehouse/operations";
import type { Applier, Change, FieldChange } from "../change.ts";
import { type Status, statusOf } from "../change.ts";
import { snakeCased } from "../export/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { toEndpointFile } from "../manifest/read-manifest.ts";

type Wanted = Manifest["webhooks"][number];

export type AppliedWebhook = {
  provider: string;
  /** Left out for a provider's default endpoint. */
  endpoint?: string;
  status: Status;
  secrets_added: number;
  /** Secrets that could no longer be decrypted. */
  secrets_replaced: number;
  /** Secrets whose name or end changed. */
  secrets_changed: number;
  /** Secrets that the file no longer lists. */
  secrets_ended: number;
};

/** What the file changes about a webhook endpoint. */
export async function webhookChange(wanted: Wanted, deps: OperationDeps): Promise<Change> {
  const { slug, environment, outcome, fields } = await planEndpoint(toEndpointFile(wanted), deps);
  return endpointChange({ slug, environment, fields }, outcome);
}

function endpointChange(
  { slug, environment, fields }: Pick<Awaited<ReturnType<typeof planEndpoint>>, "slug" | "environment" | "fields">,
  { created, secrets }: Awaited<ReturnType<typeof planEndpoint>>["outcome"],
): Change {
  const settings = Object.entries(snakeCased(fields)).map(([field, change]) => ({ field, ...(change as Omit<FieldChange, "field">) }));
  const counted = Object.entries(secrets).filter(([, count]) => count > 0);
  const secretField = { field: "secrets", before: null, after: counted.map(([what, count]) => `${count} ${what}`).join(", ") };
  const all = counted.length > 0 ? [...settings, secretField] : settings;
  return {
    kind: "webhook_endpoint",
    name: slug,
    environment,
    action: created ? "create" : all.length > 0 ? "update" : "keep",
    fields: all,
  };
}

export async function applyWebhook(wanted: Wanted, { author }: Applier, deps: OperationDeps): Promise<AppliedWebhook> {
  const { created, changed: edited, secrets } = await configureEndpoint(toEndpointFile(wanted), author, deps);
  const { added, replaced, changed, ended } = secrets;
  const action = created ? "create" : edited || added + replaced + changed + ended > 0 ? "update" : "keep";
  return {
    provider: wanted.provider,
    ...(wanted.endpoint === undefined ? {} : { endpoint: wanted.endpoint }),
    status: statusOf({ kind: "webhook_endpoint", name: wanted.provider, action, fields: [] }),
    secrets_added: added,
    secrets_replaced: replaced,
    secrets_changed: changed,
    secrets_ended: ended,
  };
}
