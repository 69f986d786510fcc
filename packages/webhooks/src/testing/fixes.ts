import { expect } from "vitest";
import { diagnose } from "../diagnosis/diagnose.ts";
import type { Finding } from "../diagnosis/finding.ts";
import type { CandidateEndpoint } from "../diagnosis/secret-variants.ts";
import type { EndpointSettings } from "../endpoint.ts";
import type { Adapter, MessageToSign, SignedMessage } from "../providers/adapter.ts";
import { PROVIDERS, type ProviderSlug } from "../providers/index.ts";
import { FIXTURES } from "./fixtures.ts";
import { SENDER, UNREACHABLE_PROVIDERS } from "./outbound.ts";
import { enabled, NOW, receiver } from "./scene.ts";

// Applies the advice of each finding to the delivery that caused it, through the receiver. Advice that does not make
// the delivery pass is wrong.

const BASE = "https://gatehouse.test";
export const urlOf = (slug: string) => `${BASE}/api/webhooks/${slug}`;

export type Endpoint = { provider: string; secret: string; ended?: string } & Partial<
  Omit<EndpointSettings, "secrets" | "slug">
>;

/** A sender, the way to us, and our endpoints. */
export type Scene = {
  provider: ProviderSlug;
  /** The slug to which the sender delivers. */
  to: string;
  endpoints: Record<string, Endpoint>;
  /** The secret that the sender has, and how it makes its key from it; by default as the provider does. */
  secret: string;
  how?: string;
  /** The URL that is entered at the sender. */
  url: string;
  /** What happens to the body on the way. */
  onTheWay?: (body: Buffer) => Uint8Array;
  timestamp: number;
  now: number;
  body: Uint8Array;
};

export const adapterOf = (provider: ProviderSlug): Adapter => PROVIDERS[provider];
export const bare = (secret: string) => secret.replace(/^[a-z]+_/, "");
/** How a finding says that a secret is used, and what it means. */
export const HOW: Record<string, (secret: string) => Buffer> = {
  "as text": (secret) => Buffer.from(secret),
  "as text, without its prefix": (secret) => Buffer.from(bare(secret)),
  "decoded from base64": (secret) => Buffer.from(secret, "base64"),
  "decoded from base64, without its prefix": (secret) => Buffer.from(bare(secret), "base64"),
  "decoded from base64, with its prefix": (secret) => Buffer.from(secret, "base64"),
  "decoded from hex": (secret) => Buffer.from(secret, "hex"),
  "decoded from hex, without its prefix": (secret) => Buffer.from(bare(secret), "hex"),
};

/** Signs with the bytes of a key, whatever form the provider's secrets have. */
function signWithKey(provider: ProviderSlug, key: Buffer, message: Omit<MessageToSign, "secret">): SignedMessage {
  const standard = `whsec_${key.toString("base64")}`;
  switch (provider) {
    case "standard-webhooks":
    case "polar":
      return PROVIDERS["standard-webhooks"].sign({ ...message, secret: standard });
    case "svix":
    case "clerk":
      return PROVIDERS.svix.sign({ ...message, secret: standard });
    case "adyen":
    case "adyen-platform":
      return PROVIDERS[provider].sign({ ...message, secret: key.toString("hex") });
    case "custom":
      return PROVIDERS.custom.sign({
        ...message,
        settings: { ...message.settings, secretEncoding: "base64" },
        secret: key.toString("base64"),
      });
    default:
      // All others take it as the key of the MAC
      return adapterOf(provider).sign({ ...message, secret: key as unknown as string });
  }
}

export function signedBy({ provider, to, endpoints, secret, how, url, timestamp, body }: Scene) {
  const settings = endpoints[to]?.settings ?? {};
  const [type = ""] = Object.keys(adapterOf(provider).samples);
  const message = { body, type, id: "evt_1", url, timestamp, settings: { ...settings, notificationUrl: url } };
  if (provider === "custom") message.settings = settings as typeof message.settings;
  const key = how === undefined ? undefined : HOW[how]?.(secret);
  const sign = FIXTURES[provider].sign ?? adapterOf(provider).sign;
  const signed = key ? signWithKey(provider, key, message) : sign({ ...message, secret });
  if ("problem" in signed) throw new Error(signed.problem);
  return signed;
}

/** Delivers once, with nothing stored before. Resolves to the row. */
export async function deliver(scene: Scene) {
  const { headers, body } = signedBy(scene);
  const configured = Object.fromEntries(
    Object.entries(scene.endpoints).map(([slug, { secret, ended: _, ...settings }]) => [
      slug,
      { ...enabled(secret), ...settings },
    ]),
  );
  const { send, store } = receiver(configured, {
    now: scene.now,
    outbound: FIXTURES[scene.provider].outbound ?? UNREACHABLE_PROVIDERS,
  });
  const arrived = scene.onTheWay ? scene.onTheWay(Buffer.from(body)) : body;
  await send(scene.to, { headers, body: new Uint8Array(arrived) });
  return store.deliveries[0];
}

function candidate(slug: string, { secret, ended, ...settings }: Endpoint): CandidateEndpoint {
  const known = [{ id: "s0", value: secret, label: "“main”", endedAt: null }];
  const old = ended === undefined ? [] : [{ id: "s1", value: ended, label: "“old”", endedAt: NOW - 1 }];
  return { endpoint: { ...enabled(), slug, ...settings }, secrets: [...known, ...old] };
}

/** Why the delivery was rejected, as it is found `later`. The rows of small deliveries have their whole body. */
async function findingsOf(scene: Scene, later: Scene): Promise<Finding[]> {
  const row = await deliver(scene);
  if (!row) throw new Error("nothing was logged");
  expect(row.outcome).toBe("rejected");
  const [own, ...others] = Object.entries(later.endpoints)
    .toSorted(([slug]) => (slug === scene.to ? -1 : 1))
    .map(([slug, endpoint]) => candidate(slug, endpoint));
  if (!own) throw new Error("no endpoint");
  const deps = {
    ...(FIXTURES[scene.provider].outbound ?? UNREACHABLE_PROVIDERS),
    sender: SENDER,
    now: () => scene.now,
  };
  return [...(await diagnose(row, { ...own, url: urlOf(scene.to) }, others, deps)).findings];
}

export const change = (scene: Scene, slug: string, endpoint: Partial<Endpoint>): Scene => ({
  ...scene,
  endpoints: { ...scene.endpoints, [slug]: { ...(scene.endpoints[slug] as Endpoint), ...endpoint } },
});
const intact = ({ onTheWay: _, ...scene }: Scene): Scene => scene;
const isUrl = (text: string) => text.startsWith("http");
const movedTo = (scene: Scene, target: string): Scene => {
  if (!isUrl(target)) return { ...scene, to: target.slice("/api/webhooks/".length), url: `${BASE}${target}` };
  const to =
    Object.keys(scene.endpoints).find((slug) => scene.endpoints[slug]?.settings?.["notificationUrl"] === target) ??
    scene.to;
  return { ...scene, to, url: target };
};

/** What to do, by the words of a finding; each sentence that says to do something must be here. */
const ACTIONS: [RegExp, (scene: Scene, ...groups: string[]) => Scene][] = [
  [/^Ask the provider to send the delivery again\.$/, (scene) => scene],
  [/^Change the URL at the sender to (\S+)\. If/, (scene, target = "") => movedTo(scene, target)],
  [
    /^Enter this endpoint's secret at the sender\. If/,
    (scene) => ({ ...scene, secret: scene.endpoints[scene.to]?.secret ?? "" }),
  ],
  [
    /If the secrets were mixed up, add this one here instead\.$/,
    (scene) => change(scene, scene.to, { secret: scene.secret }),
  ],
  [
    /^Enter the current secret at the provider, or/,
    (scene) => ({ ...scene, secret: scene.endpoints[scene.to]?.secret ?? "" }),
  ],
  [/, or add this one again until/, (scene) => change(scene, scene.to, { secret: scene.secret })],
  [
    /^Nothing is wrong\. .* add a development endpoint with this value as its secret\.$/,
    (scene) =>
      movedTo(
        change(scene, "tests", { provider: scene.provider, environment: "development", secret: scene.secret }),
        "/api/webhooks/tests",
      ),
  ],
  [
    /^Enter the secret at the sender again, without the line break\./,
    (scene) => ({ ...scene, secret: scene.secret.trim() }),
  ],
  [
    /^Enter the secret without quotation marks on both sides\.$/,
    (scene) => {
      const unquoted = scene.secret.replace(/^["']|["']$/g, "");
      return { ...change(scene, scene.to, { secret: unquoted }), secret: unquoted };
    },
  ],
  [/^Use the secret (.+?) where the delivery is signed, or/, (scene, how = "") => ({ ...scene, how })],
  [/^Verify and forward the bytes as they arrived/, intact],
  [/^Find what changes the body between the sender and Gatehouse/, intact],
  [/^Switch off compression of request bodies/, intact],
  [/^Something in front of Gatehouse read the body/, intact],
  [/^Enter (\S+) at the sender/, (scene, url = "") => ({ ...scene, url })],
  [
    /, or set the endpoint's notification URL to (\S+)\.$/,
    (scene, url = "") =>
      change(scene, scene.to, { settings: { ...scene.endpoints[scene.to]?.settings, notificationUrl: url } }),
  ],
  [
    /^Enter the URL of an endpoint of the provider that sends it: .*?(\S+?)[.,]?(?: or|,|\.|$)/,
    (scene) => {
      const target = `${scene.provider}`;
      return movedTo(
        change(scene, target, { provider: scene.provider, secret: scene.secret }),
        `/api/webhooks/${target}`,
      );
    },
  ],
  [
    /^Check that this server's clock is synchronised|check this server's clock/,
    (scene) => ({ ...scene, now: scene.timestamp }),
  ],
  [/^Send Unix (?:milli)?seconds\.$/, (scene) => ({ ...scene, timestamp: scene.now })],
];

export const seen = new Set<string>();

/** Applies the advice of all findings: the first thing that each says, and then each alternative on its own. */
export async function expectFixed(scene: Scene, kinds: readonly string[], later = scene): Promise<readonly Finding[]> {
  const findings = await findingsOf(scene, later);
  expect(findings.map(({ kind }) => kind)).toEqual(kinds);
  for (const kind of kinds) seen.add(kind);
  const ways = findings.map(({ fix }) =>
    ACTIONS.flatMap(([words, act]) => {
      const found = words.exec(fix);
      return found ? [(before: Scene) => act(before, ...found.slice(1))] : [];
    }),
  );
  for (const [at, alternatives] of ways.entries()) {
    expect(alternatives.length, `nothing is known to do for: ${findings[at]?.fix}`).toBeGreaterThan(0);
    for (const alternative of alternatives) {
      const fixed = ways.reduce(
        (before, others, index) => (index === at ? alternative(before) : (others[0]?.(before) ?? before)),
        later,
      );
      expect((await deliver(fixed))?.reason, findings[at]?.fix).toBe("accepted");
    }
  }
  return findings;
}
