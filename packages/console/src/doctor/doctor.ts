import { randomBytes } from "node:crypto";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { type Adapter, isProvider, mintLocalSecret, PROVIDERS } from "@gatehouse/webhooks";
import { type EndpointTarget, examine, examineEndpoint, examineServer, type Finding } from "@gatehouse/webhooks/doctor";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { listEndpoints } from "../webhook-endpoints/queries.ts";
import { checkMail } from "./mail-check.ts";
import { probeHeaders } from "./probe.ts";
import { checkSignInProviders } from "./sign-in-providers.ts";

type Part = Pick<OperationDeps, "db" | "seal" | "now" | "config" | "outbox" | "upstream">;

/** What is needed to make deliveries for an endpoint. */
type Signing = {
  slug: string;
  provider: keyof typeof PROVIDERS;
  url: string;
  settings: Readonly<Record<string, unknown>>;
  now: () => number;
};

/** Every configured endpoint with the requests that examine it; Stripe's default endpoint if there is none. */
async function doctorTargets(deps: Part): Promise<EndpointTarget[]> {
  const store = createWebhookStore(deps.db, deps.seal, deps.now);
  const configured = (await listEndpoints(deps.db)).map(({ slug }) => slug);
  const slugs = configured.length > 0 ? [...configured].sort() : ["stripe"];
  const targets = slugs.map(async (slug) => {
    const found = await store.findEndpoint(slug);
    const provider = found?.provider ?? slug;
    if (!isProvider(provider)) return [];
    const signing = {
      slug,
      provider,
      url: `${deps.config.issuer}/api/webhooks/${slug}`,
      settings: found?.settings ?? {},
      now: deps.now,
    };
    const target = doctorTarget(signing, { secret: found?.secrets.at(-1)?.value, headers: probeHeaders(deps) });
    return [{ ...target, isConfigured: configured.length > 0 }];
  });
  return (await Promise.all(targets)).flat();
}

/**
 * The requests that examine an endpoint. `known`: a signing secret that is configured, if there is one, and the headers
 * that mark a probe.
 */
export function doctorTarget(
  endpoint: Signing,
  known?: { secret: string | undefined; headers: Record<string, string> },
): EndpointTarget {
  const adapter: Adapter = PROVIDERS[endpoint.provider];
  const unknown = mintLocalSecret(adapter, randomBytes, endpoint.settings);
  const forged = unknown === undefined ? undefined : signedSample(endpoint, adapter, unknown, 0);
  const secret = known?.secret;
  const signed = secret === undefined ? undefined : signedSample(endpoint, adapter, secret, 0);
  return {
    slug: endpoint.slug,
    provider: adapter.name,
    contentType: contentTypeOf(adapter),
    headers: known?.headers ?? {},
    forge: forged && (() => forged),
    sign:
      secret === undefined || signed === undefined
        ? undefined
        : (bytes) => signedSample(endpoint, adapter, secret, bytes) ?? signed,
  };
}

const contentTypeOf = ({ contentTypes }: Adapter) => contentTypes[0] ?? "application/json";

/**
 * The provider's first sample, made longer by `bytes`; undefined if it is not a JSON object or this secret cannot sign.
 */
function signedSample({ url, settings, now }: Signing, adapter: Adapter, secret: string, bytes: number) {
  const [sample] = Object.entries(adapter.samples);
  if (!sample) return undefined;
  const [type, payload] = sample;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return undefined;
  const id = `probe_${randomBytes(12).toString("hex")}`;
  const text = JSON.stringify({ ...payload, ...(bytes > 0 && { gatehouse_probe: "x".repeat(bytes) }) }).replaceAll(
    "{id}",
    id,
  );
  const signed = adapter.sign({ body: Buffer.from(text), type, id, secret, timestamp: now(), url, settings });
  if ("problem" in signed) return undefined;
  return { headers: { "content-type": contentTypeOf(adapter), ...signed.headers }, body: signed.body };
}

/** Where the installation is examined, and what proves to it who asks. */
const publicAddress = (deps: Part) => ({
  origin: new URL(deps.config.issuer).origin,
  now: deps.now,
  proof: probeHeaders(deps),
});

/** Examines this installation from the outside, at its public address: the server, and each configured endpoint. */
export async function* runDoctor(deps: Part): AsyncGenerator<Finding> {
  yield await checkMail(deps);
  yield* checkSignInProviders(deps);
  yield* examine({ ...publicAddress(deps), endpoints: await doctorTargets(deps) });
}

/** Examines the server of this installation at its public address, and the proxy in front of it. */
export const runProxyDoctor = (deps: Part): AsyncGenerator<Finding> => examineServer(publicAddress(deps));

/** Examines each configured webhook endpoint at its public address. */
export async function* runWebhookDoctor(deps: Part): AsyncGenerator<Finding> {
  for (const target of await doctorTargets(deps)) yield* examineEndpoint(target, publicAddress(deps));
}

/** What `examineTarget` can examine: the slugs of the endpoints. */
export async function listDoctorTargets(deps: Part): Promise<string[]> {
  return (await doctorTargets(deps)).map(({ slug }) => slug);
}

/** Examines the server, or the endpoint of that slug. Throws `not_found`. */
export async function examineTarget(slug: string | null, deps: Part): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of await findingsOf(slug, deps)) found.push(finding);
  return found;
}

async function* serverFindings(deps: Part): AsyncGenerator<Finding> {
  yield await checkMail(deps);
  yield* checkSignInProviders(deps);
  yield* examineServer(publicAddress(deps));
}

async function findingsOf(slug: string | null, deps: Part): Promise<AsyncGenerator<Finding>> {
  if (slug === null) return serverFindings(deps);
  const target = (await doctorTargets(deps)).find((one) => one.slug === slug);
  if (!target) throw new DomainError("not_found", "There is no such endpoint.");
  return examineEndpoint(target, publicAddress(deps));
}
