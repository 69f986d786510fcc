import { createIncoming } from "../incoming.ts";
import type { Adapter, FetchDeps, Key, SignedClaim } from "../providers/adapter.ts";
import { matchesClaim, readClaim } from "../verify.ts";
import type { CandidateEndpoint, SecretChoice } from "./secret-variants.ts";

/** The work of one diagnosis. A hit is found early or never, so more would only cost time. */
export const MAX_VERIFICATIONS = 200;

/** One way in which the delivery might have been signed. */
export type Trial = { secret: SecretChoice; body: Uint8Array; url: string };

export type Trials = {
  /** Whether the signature matches. False once {@link MAX_VERIFICATIONS} were tried. */
  matches(trial: Trial): Promise<boolean>;
  /** How many were tried. */
  count(): number;
  /** Whether some were left out. */
  isExhausted(): boolean;
};

/** Makes the verifier of one diagnosis: it counts, and it is bounded. */
export function createTrials(
  request: { method: string; headers: Headers },
  own: CandidateEndpoint,
  adapter: Adapter,
  deps: FetchDeps,
): Trials {
  let count = 0;
  let exhausted = false;

  async function matches({ secret: { secret, keys: known }, body, url }: Trial): Promise<boolean> {
    if (count >= MAX_VERIFICATIONS) {
      exhausted = true;
      return false;
    }
    count++;
    // The URL of a trial counts, not the configured one.
    const { notificationUrl: _, ...settings } = own.endpoint.settings;
    const endpoint = { ...own.endpoint, settings, secrets: [{ id: "trial", value: secret }] };
    const incoming = createIncoming({ ...request, body, url, endpoint }, adapter);
    const claim = readClaim(incoming, adapter);
    if (claim.kind !== "signed") return false;
    const keys = known ?? (await keysOf(claim));
    return keys.some((key) => key.bytes.length > 0 && matchesClaim(key, claim));

    async function keysOf(signed: SignedClaim): Promise<readonly Key[]> {
      if (!adapter.fetchKeys) return adapter.keysOf(secret, settings);
      // Without the provider there is no certificate, and so no answer.
      return adapter.fetchKeys(signed, incoming, secret, deps).catch(() => []);
    }
  }
  return { matches, count: () => count, isExhausted: () => exhausted };
}
