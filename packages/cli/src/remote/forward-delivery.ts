import { randomBytes } from "node:crypto";
import { postSigned, sendSigned } from "@gatehouse/console/webhook-endpoints/send-signed";
import {
  ENVIRONMENTS,
  forwardedHeaders,
  isProvider,
  mintForwardingSecret,
  mintLocalSecret,
  PROVIDERS,
} from "@gatehouse/webhooks";
import type { StreamedDelivery } from "./delivery-stream.ts";

type Options = {
  url: string;
  /** The secret to sign with; without it, one is made and told. */
  secret?: string | undefined;
  tell: (line: string) => void;
};

const HIDDEN = "not forwarded: its body is hidden from you";

/** Forwards a delivery, and resolves to what happened in a few words; undefined if there was nothing to forward. */
export type ForwardDelivery = (delivery: StreamedDelivery) => Promise<string | undefined>;

/** Sends what the server's own forwarding sends: the same bytes and headers, signed as Standard Webhooks asks. PK-56. */
export function forwardToProduct({ url, secret: given, tell }: Options): ForwardDelivery {
  const secret = given ?? mintForwardingSecret(randomBytes);
  if (given === undefined) tell(`Forwarded events are signed with ${secret}`);
  return async (delivery) => {
    const { id, messageId, provider, endpoint, environment, eventType: type, contentType } = delivery;
    if (delivery.outcome === "rejected") return undefined;
    if (delivery.body === null) return HIDDEN;
    if (delivery.outcome === "duplicate") return "not forwarded: the event was forwarded before";
    const known = ENVIRONMENTS.find((name) => name === environment);
    if (!known) return `not forwarded: this version does not know the environment ${environment}`;
    const body = new Uint8Array(Buffer.from(delivery.body, "base64"));
    const about = { provider, endpoint, environment: known, type, contentType: contentType ?? "application/json" };
    const message = { ...about, id: messageId ?? `evt_${id}`, body };
    const headers = forwardedHeaders(message, [secret], Math.floor(Date.now() / 1000));
    return wordsOf(await postSigned({ url, headers, body }));
  };
}

/** Sends what the provider sends, signed in its way: for a Gatehouse on this machine. */
export function forwardAsProvider({ url, secret: given, tell }: Options): ForwardDelivery {
  const secrets = new Map<string, string>();
  function secretOf(provider: keyof typeof PROVIDERS): string {
    const known = given ?? secrets.get(provider);
    if (known !== undefined) return known;
    const secret = mintLocalSecret(PROVIDERS[provider], randomBytes) ?? "";
    secrets.set(provider, secret);
    if (secret !== "") tell(`Forwarded ${PROVIDERS[provider].name} deliveries are signed with ${secret}`);
    return secret;
  }
  return async (delivery) => {
    const { provider, body, eventId, id, eventType: type } = delivery;
    if (delivery.outcome === "rejected") return undefined;
    if (body === null) return HIDDEN;
    if (!isProvider(provider)) return "not forwarded: this version does not know the provider";
    const message = {
      provider,
      url,
      secret: secretOf(provider),
      body: Buffer.from(body, "base64"),
      id: eventId ?? id,
      type,
    };
    return wordsOf(await sendSigned(message));
  };
}

function wordsOf(result: Awaited<ReturnType<typeof postSigned>>): string {
  return "problem" in result ? result.problem : `${result.status} in ${result.ms} ms`;
}
