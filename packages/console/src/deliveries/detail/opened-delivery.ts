import type { Environment } from "@gatehouse/auth";
import { type Adapter, isProvider, PROVIDERS } from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import { missingDelivery } from "./payload.ts";
import { findDeliveryDetail } from "./queries.ts";

type Row = NonNullable<Awaited<ReturnType<typeof findDeliveryDetail>>>["delivery"];

/** A delivery with its endpoint. */
export type OpenedDelivery = {
  row: Row;
  provider: string;
  /** The one that the delivery arrived in, wherever its endpoint is today. */
  environment: Environment;
  settings: Readonly<Record<string, unknown>>;
  /** When the endpoint last accepted a delivery, up to ten seconds ago. */
  lastAcceptedAt: number | null;
  /** Undefined if this release has no such provider. */
  adapter: Adapter | undefined;
};

/** Throws `not_found`. */
export async function openDelivery(id: string, { db }: Pick<OperationDeps, "db">): Promise<OpenedDelivery> {
  const found = await findDeliveryDetail(db, id);
  if (!found) throw missingDelivery();
  const provider = found.provider ?? found.delivery.endpoint;
  const adapter: Adapter | undefined = isProvider(provider) ? PROVIDERS[provider] : undefined;
  const { delivery: row, settings, lastAcceptedAt } = found;
  return { row, provider, environment: row.environment, settings: settings ?? {}, lastAcceptedAt, adapter };
}
