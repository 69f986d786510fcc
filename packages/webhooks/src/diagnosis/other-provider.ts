import type { EndpointSettings } from "../endpoint.ts";
import { createIncoming } from "../incoming.ts";
import type { Adapter } from "../providers/adapter.ts";
import { PROVIDERS } from "../providers/index.ts";
import type { Finding } from "./finding.ts";

/** Whether the headers are those of another provider. The body is ignored: without a signature it proves nothing. */
export function findOtherProvider(endpoint: EndpointSettings, headers: Headers): Finding[] {
  const senders = Object.entries<Adapter>(PROVIDERS).filter(([slug, adapter]) => {
    if (slug === endpoint.provider || slug === "custom") return false;
    const request = {
      method: "POST",
      headers,
      body: new Uint8Array(),
      url: "",
      endpoint: { ...endpoint, provider: slug, settings: {} },
    };
    return adapter.readClaim(createIncoming(request, adapter)).kind === "signed";
  });
  const [first] = senders;
  if (!first) return [];
  const [, { signatureName }] = first;
  const urls = senders.map(([slug]) => `/api/webhooks/${slug}`);
  return [
    {
      kind: "other_provider",
      sentence: `The delivery has ${signatureName}, as ${list(senders.map(([, { name }]) => name))} send it.`,
      fix: `Enter the URL of an endpoint of the provider that sends it: ${list(urls, "or")}.`,
    },
  ];
}

function list(names: readonly string[], word: "and" | "or" = "and"): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}` : names.join("");
}
