import type { OperationDeps } from "../../deps.ts";
import { configureEndpoint, planEndpoint } from "../../webhook-endpoints/configure.ts";
import { toForward } from "../../webhook-endpoints/forwarding/rules.ts";
import { type EndpointRow, findEndpointRow } from "../../webhook-endpoints/queries.ts";
import {
  type Applier,
  type Change,
  changeOf,
  type FieldChange,
  type LiveChanges,
  type Status,
  statusOf,
} from "../change.ts";
import { type Entry, stated } from "../export/entry.ts";
import type { Manifest } from "../file/manifest.ts";
import { toEndpointFile } from "../file/read-manifest.ts";

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
  /** Signs forwarded events. Only when this run generated it; it is not shown again. */
  forwarding_secret?: string;
};

/** What the file states about a webhook endpoint, besides its secrets. */
export const webhookSettings = ({ provider, environment, name, settings, forward, enabled }: Wanted): Entry =>
  stated({ provider, environment, name, settings, forward: forward && toForward(forward), enabled });

/** What the file changes about a webhook endpoint. */
export async function webhookChange(wanted: Wanted, deps: OperationDeps): Promise<Change> {
  const { slug, environment, forward, outcome } = await planEndpoint(toEndpointFile(wanted), deps);
  const row = await findEndpointRow(deps.db, slug);
  const settings = webhookSettings(wanted);
  const generated: FieldChange = { field: "forwarding_secret", before: null, after: "generated" };
  const secrets = [...secretChange(outcome.secrets), ...(outcome.mintsForwardingSecret ? [generated] : [])];
  if (row) return changeTo({ ...settings, ...(row.forward && { forward }) }, row, environment, secrets);
  return changeOf(
    { kind: "webhook_endpoint", name: slug, environment },
    undefined,
    { environment, enabled: true, ...settings },
    secrets,
  );
}

/** The change to what a file states. `environment`: where the endpoint is then. */
function changeTo(
  settings: Entry,
  row: EndpointRow,
  environment: EndpointRow["environment"],
  secrets: FieldChange[] = [],
): Change {
  const stored = { ...row, enabled: row.disabledAt === null };
  return changeOf({ kind: "webhook_endpoint", name: row.slug, environment }, stored, settings, secrets);
}

function secretChange(counts: Awaited<ReturnType<typeof planEndpoint>>["outcome"]["secrets"]): FieldChange[] {
  const counted = Object.entries(counts).filter(([, count]) => count > 0);
  if (counted.length === 0) return [];
  return [{ field: "secrets", before: null, after: counted.map(([what, count]) => `${count} ${what}`).join(", ") }];
}

/** What applying them again would change about webhook endpoints, besides their secrets. */
export const webhookDrift: LiveChanges = (rows, { db }) =>
  Promise.all(
    rows.map(async ({ object, settings }) => {
      const row = await findEndpointRow(db, object);
      return row && changeTo(settings, row, row.environment);
    }),
  );

export async function applyWebhook(wanted: Wanted, { author }: Applier, deps: OperationDeps): Promise<AppliedWebhook> {
  const configured = await configureEndpoint(toEndpointFile(wanted), author, deps);
  const { created, changed: edited, secrets, forwardingSecret } = configured;
  const { added, replaced, changed, ended } = secrets;
  const action = created
    ? "create"
    : edited || forwardingSecret !== undefined || added + replaced + changed + ended > 0
      ? "update"
      : "keep";
  return {
    provider: wanted.provider,
    ...(wanted.endpoint === undefined ? {} : { endpoint: wanted.endpoint }),
    status: statusOf({ kind: "webhook_endpoint", name: wanted.provider, action, fields: [] }),
    secrets_added: added,
    secrets_replaced: replaced,
    secrets_changed: changed,
    secrets_ended: ended,
    ...(forwardingSecret !== undefined && { forwarding_secret: forwardingSecret }),
  };
}
