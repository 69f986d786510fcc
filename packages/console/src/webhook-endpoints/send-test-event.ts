import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { isProvider, PROVIDERS, sampleBody } from "@gatehouse/webhooks";
import { auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { type Author, assertFresh, assertMayManage } from "../permissions.ts";
import { auditName } from "./endpoints.ts";
import { postSigned, type SendResult, signRequest } from "./send-signed.ts";
import { endpointToChange, endpointUrl } from "./view.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "seal" | "config">;

/** Shorter than the time that a browser or a proxy waits. */
const TIMEOUT_MS = 10_000;
const MAX_MESSAGE = 300;

/** What became of a test event. `status`: of the response; null if there was none. `message`: what went wrong. */
export type TestEventResult = {
  eventId: string;
  deliveryId: string | null;
  status: number | null;
  ms: number | null;
  message: string | null;
};

/**
 * Sends a sample event to the endpoint's URL at the issuer, signed with the endpoint's newest secret as its provider
 * signs, and leaves an audit row. It is a delivery like any other: handlers run, which is why production needs an admin
 * with a fresh sign-in. Throws `not_found`, `forbidden`, `stale_sign_in`, `invalid` for an unknown type of event, and
 * `conflict` if nothing can be signed. CO-88.
 */
export async function sendTestEvent(
  { slug, eventType }: { slug: string; eventType: string },
  actor: Author,
  deps: Part,
): Promise<TestEventResult> {
  const { endpoint } = await endpointToChange(slug, deps);
  const { provider, environment } = endpoint;
  assertMayManage(actor, environment);
  if (environment === "production") assertFresh(actor, deps.now());
  if (!isProvider(provider)) throw new DomainError("conflict", "This release does not know the endpoint’s provider.");
  const eventId = `evt_test_${Buffer.from(deps.random(12)).toString("hex")}`;
  const body = sampleBody(PROVIDERS[provider], eventType, eventId);
  if (!body) throw invalid([{ path: "eventType", message: "is not one of the provider’s sample events" }]);

  const found = await createWebhookStore(deps.db, deps.seal, deps.now).findEndpoint(slug);
  const secret = found?.secrets.at(-1)?.value;
  // The secret has to be of the environment that was checked: the endpoint can have moved since.
  if (secret === undefined || found?.environment !== environment)
    throw new DomainError("conflict", "The endpoint has no signing secret to sign with. Add one first.");
  const url = endpointUrl(slug, deps.config);
  const delivery = { provider, url, secret, body, id: eventId, type: eventType, settings: found.settings };
  const signed = signRequest(delivery, deps.now());
  if ("problem" in signed) throw new DomainError("conflict", signed.problem);

  const about = { object: slug, objectName: auditName(endpoint), environment, detail: { eventType, eventId } };
  await deps.db.transaction([auditWrite(actor, { action: "webhook_endpoint.send_test", ...about }, deps)]);
  return resultOf(eventId, await postSigned(signed, TIMEOUT_MS));
}

function resultOf(eventId: string, sent: SendResult): TestEventResult {
  if ("problem" in sent) return { eventId, deliveryId: null, status: null, ms: null, message: sent.problem };
  const { status, ms, text, deliveryId } = sent;
  const message = status >= 200 && status < 300 ? null : (messageIn(text) ?? `The answer was ${status}.`);
  return { eventId, deliveryId, status, ms, message };
}

/** The `message` of our receiver's answer. Something in front of it can have answered instead. */
function messageIn(text: string): string | undefined {
  try {
    const message: unknown = Reflect.get(Object(JSON.parse(text)), "message");
    return typeof message === "string" ? message.slice(0, MAX_MESSAGE) : undefined;
  } catch {
    return undefined;
  }
}
