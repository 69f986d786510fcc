import { type AdapterSettings, createIncoming, findSigner, toleranceOf, usableSecrets } from "@gatehouse/webhooks";
import type { OperationDeps } from "../deps.ts";
import { invalid, type Problem } from "../domain-error.ts";
import { secretProblems } from "../webhook-secrets/rules.ts";
import { adapterOf, providerProblems, settingsProblems } from "./rules.ts";
import { endpointUrl } from "./view.ts";

/** A delivery to check against settings that need not be saved. `headers`: one `Name: value` a line. */
export type SampleDraft = {
  slug: string;
  provider: string;
  settings: AdapterSettings;
  secret: string;
  headers: string;
  body: string;
};

/** What a delivery like this would meet. `skewSeconds`: signed time minus now; null if the scheme has no timestamp. */
export type SampleVerdict = {
  matches: boolean;
  /** Why it does not match, or what else would reject it. */
  message: string;
  eventType: string | null;
  eventId: string | null;
  skewSeconds: number | null;
};

/** Verifies a sample as the receiver would, without storing anything. Throws `invalid`. */
export function testSample(draft: SampleDraft, { config, now }: Pick<OperationDeps, "config" | "now">): SampleVerdict {
  const { provider, settings, secret } = draft;
  const adapter = adapterOf(provider);
  if (!adapter) throw invalid(providerProblems(provider));
  const { headers, problems: malformed } = readHeaders(draft.headers);
  const problems = [...settingsProblems(provider, settings), ...malformed];
  if (problems.length === 0) problems.push(...secretProblems({ provider, kind: "signing", secret, settings }));
  if (problems.length > 0) throw invalid(problems);

  const endpoint = {
    slug: draft.slug,
    provider,
    environment: "development" as const,
    enabled: true,
    settings,
    secrets: [{ id: "sample", value: secret.trim() }],
    apiKeys: [],
    unreadableSecrets: 0,
  };
  const request = {
    method: "POST",
    headers,
    body: Buffer.from(draft.body),
    url: endpointUrl(draft.slug, config),
    endpoint,
  };
  const incoming = createIncoming(request, adapter);
  const claim = adapter.readClaim(incoming);
  const [identity] = adapter.identify(incoming, incoming.parsed()?.payload);
  const found = { eventType: identity.type, eventId: identity.id, skewSeconds: null };
  const refused = (message: string) => ({ ...found, matches: false, message });

  if (claim.kind === "missing") return refused(`${adapter.signatureName} is missing.`);
  if (claim.kind === "malformed") return refused(`${adapter.signatureName} is malformed: ${claim.problem}.`);
  if (claim.kind === "scheme_unknown")
    return refused(`The signature uses only unknown schemes: ${claim.schemes.join(", ")}.`);
  if (claim.kind === "fetch_back" || adapter.fetchKeys)
    return refused(`${adapter.name} has to be asked, so a sample cannot be tested here.`);
  const skewSeconds = claim.timestamp === null ? null : claim.timestamp - now();
  if (findSigner(claim, usableSecrets(adapter, endpoint)) === undefined)
    return {
      ...refused("The signature does not match. Check the secret, the signed text and that the body has every byte."),
      skewSeconds,
    };
  const tolerance = toleranceOf(adapter, endpoint);
  const late = skewSeconds !== null && tolerance !== null && Math.abs(skewSeconds) > tolerance;
  const message = late
    ? `The signature matches. A delivery with this timestamp is rejected now: it is more than ${tolerance} seconds off.`
    : "The signature matches.";
  return { ...found, matches: true, message, skewSeconds };
}

function readHeaders(text: string): { headers: Headers; problems: Problem[] } {
  const headers = new Headers();
  const problems: Problem[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (line === "") continue;
    if (name === undefined || value === undefined || !isHeaderValue(value))
      problems.push({
        path: "headers",
        message: `"${line.slice(0, 40)}" is not a header. Write one on each line, like Name: value`,
      });
    else headers.append(name, value);
  }
  return { headers, problems };
}

/** Visible characters, spaces and bytes above ASCII. RFC 9110 §5.5. */
const isHeaderValue = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
