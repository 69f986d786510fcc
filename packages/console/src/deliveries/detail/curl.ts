import { mintLocalSecret } from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import { type Author, assertFresh } from "../../permissions.ts";
import { curlCommand } from "./curl-command.ts";
import { openDelivery } from "./opened-delivery.ts";
import { recordReveal } from "./reveal.ts";
import { assertMayReveal } from "./rights.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random">;

/** Where `npm start` listens. */
const LOCAL = "http://localhost:3000";

/**
 * The delivery as a `curl` command for a local Gatehouse, signed now with a new test secret and never with a real one.
 * It contains the payload, so it needs the same rights as revealing it and leaves the same audit row. Throws
 * `not_found`, `forbidden`, `stale_sign_in`.
 */
export async function deliveryAsCurl(
  id: string,
  author: Author,
  deps: Part,
): Promise<{ command: string; secret: string } | { problem: string }> {
  const opened = await openDelivery(id, deps);
  const { row, adapter, environment, settings } = opened;
  assertMayReveal(author, environment);
  if (environment === "production") assertFresh(author, deps.now());
  if (!adapter) return { problem: "This release does not know the provider." };
  if (row.body === null) return { problem: "The payload is deleted." };
  if (row.bodyBytes === null || row.bodyBytes > row.body.length)
    return { problem: "Only the beginning of the payload was stored, so the request cannot be repeated." };

  const { notificationUrl: _, ...local } = settings;
  const url = `${LOCAL}/api/webhooks/${row.endpoint}`;
  const message = {
    body: row.body,
    type: row.eventType,
    id: row.eventId ?? row.id,
    timestamp: deps.now(),
    url,
    settings: local,
  };
  const secret = mintLocalSecret(adapter, deps.random, local);
  if (secret === undefined)
    return { problem: `Only ${adapter.name} can sign its deliveries, so there is no test secret for them.` };
  const signed = adapter.sign({ ...message, secret });
  if ("problem" in signed) return { problem: signed.problem };
  const command = curlCommand({ url, ...signed });
  if (command === undefined) return { problem: "The payload is too large for a command line." };
  await recordReveal(opened, author, { as: "curl" }, deps);
  return { command, secret };
}
