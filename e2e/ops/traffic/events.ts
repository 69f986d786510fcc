import { signedEvent } from "../../harness/acknowledged.ts";
import type { Call } from "./client.ts";

/** The delivery of a paid invoice, which the product counts once for each id. */
export function eventCall(id: string): Call {
  const { headers, body } = signedEvent(id);
  return { path: "/api/webhooks/stripe", method: "POST", headers, body };
}
