import type { Environment } from "@gatehouse/auth";
import { type AdapterSettings, type DeliveryReason, type Forward, isProvider } from "@gatehouse/webhooks";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { ManagedView } from "../managed/managed-view.ts";
import type { WebhookSecretRow } from "../webhook-secrets/queries.ts";
import { isActiveSecret, isReadable } from "../webhook-secrets/rows.ts";
import { type EndpointRow, findEndpointRow, type NewEndpoint } from "./queries.ts";

/** One URL that receives webhooks, as the console shows it. Times are Unix seconds. */
export type EndpointView = {
  /** The last segment of the URL. That of a provider's default endpoint is the provider's name. */
  slug: string;
  provider: string;
  environment: Environment;
  name: string | null;
  url: string;
  settings: AdapterSettings;
  enabled: boolean;
  /** False for a default endpoint that nobody has set up. It rejects every delivery, because it has no secret. */
  configured: boolean;
  createdAt: number | null;
  managed: ManagedView | null;
  /** Raised by each change; 0 while the endpoint is not stored. */
  version: number;
  /** These three are up to ten seconds old. */
  lastAcceptedAt: number | null;
  lastRefusedAt: number | null;
  lastRefusedReason: DeliveryReason | null;
  /** How many of them are active. `unreadable`: encrypted with another GATEHOUSE_SECRET, so of no use. */
  secrets: { signing: number; apiKeys: number; unreadable: number };
  /** Null if its events are not forwarded. */
  forward: (Forward & { secrets: ForwardingSecretView[] }) | null;
};

/** An active secret that forwarded events are signed with. */
export type ForwardingSecretView = {
  id: string;
  hint: string;
  createdAt: number;
  /** Null for the one that stays. */
  endsAt: number | null;
  /** False if it was encrypted with another GATEHOUSE_SECRET. */
  readable: boolean;
};

/** What an endpoint is before it is stored: that of a default endpoint, or undefined. */
function defaultEndpoint(slug: string, now: number): NewEndpoint | undefined {
  if (!isProvider(slug)) return undefined;
  return { slug, provider: slug, environment: "production", name: null, settings: {}, createdAt: now };
}

/** The endpoint to be changed, and whether it is stored. Throws `not_found`. */
export async function endpointToChange(slug: string, { db, now }: Pick<OperationDeps, "db" | "now">) {
  const row = await findEndpointRow(db, slug);
  const endpoint = row ?? withoutUse(defaultEndpoint(slug, now()));
  if (!endpoint) throw new DomainError("not_found", `There is no webhook endpoint ${slug}. Create it first.`);
  return { endpoint, stored: row !== undefined };
}

function withoutUse(endpoint: NewEndpoint | undefined): EndpointRow | undefined {
  return (
    endpoint && {
      ...endpoint,
      version: 0,
      disabledAt: null,
      lastAcceptedAt: null,
      lastRefusedAt: null,
      lastRefusedReason: null,
      forward: null,
    }
  );
}

/** `secrets`: of this endpoint, including ended ones. */
export function endpointView(
  row: EndpointRow,
  secrets: readonly WebhookSecretRow[],
  { config, now, seal }: Pick<OperationDeps, "config" | "now" | "seal">,
  { configured = true, managed = null }: { configured?: boolean; managed?: ManagedView | null | undefined } = {},
): EndpointView {
  const {
    slug,
    provider,
    environment,
    name,
    settings,
    forward,
    createdAt,
    disabledAt,
    lastAcceptedAt,
    lastRefusedAt,
    lastRefusedReason,
  } = row;
  const all = secrets.filter((secret) => isActiveSecret(secret, now()));
  const active = all.filter(({ kind }) => kind !== "forwarding");
  const readable = active.filter((secret) => isReadable(secret, seal));
  return {
    slug,
    provider,
    environment,
    name,
    url: endpointUrl(slug, config),
    settings,
    enabled: disabledAt === null,
    configured,
    createdAt: configured ? createdAt : null,
    lastAcceptedAt,
    lastRefusedAt,
    lastRefusedReason,
    version: row.version,
    managed,
    secrets: {
      signing: readable.filter(({ kind }) => kind === "signing").length,
      apiKeys: readable.filter(({ kind }) => kind === "api_key").length,
      unreadable: active.length - readable.length,
    },
    forward: forward && {
      ...forward,
      secrets: all
        .filter(({ kind }) => kind === "forwarding")
        .map((secret) => ({
          id: secret.id,
          hint: secret.hint,
          createdAt: secret.createdAt,
          endsAt: secret.expiresAt,
          readable: isReadable(secret, seal),
        })),
    },
  };
}

export function endpointUrl(slug: string, { issuer }: Pick<OperationDeps["config"], "issuer">): string {
  return `${issuer}/api/webhooks/${slug}`;
}
