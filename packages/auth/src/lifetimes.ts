import type { Client } from "./clients/client.ts";

/** How long things live, in seconds. The reasons are in the specification's recommended constants. */
export const LIFETIME = {
  /** FAPI 2: dead after 62 s. */
  codeSeconds: 60,
  accessTokenSeconds: 600,
  /** Read once, on arrival; serves as a hint long after. */
  idTokenSeconds: 3600,
  refreshIdleSeconds: 14 * 86_400,
  refreshAbsoluteSeconds: 30 * 86_400,
  /** Single-page apps, RFC 10017 §6.3.2.3. */
  refreshAbsoluteBrowserSeconds: 86_400,
  /** From pushing a request to opening it. RFC 9126 §2.2. */
  pushedRequestSeconds: 60,
  deviceCodeSeconds: 600,
  devicePollSeconds: 5,
  /** The sealed pending request, through sign-in, sign-up and reset. AZ-31. */
  pendingRequestSeconds: 30 * 60,
  sessionIdleSeconds: 14 * 86_400,
  sessionAbsoluteSeconds: 30 * 86_400,
} as const;

/** A code dies after this many wrong verifiers. PK-06. */
export const MAX_VERIFIER_ATTEMPTS = 5;
/** Each early poll of a device lengthens its interval by this. RFC 8628 §3.5. */
export const SLOW_DOWN_SECONDS = 5;

/** What a client's own lifetimes may be, in seconds, both ends included. Reasons and effects are in docs/lifetimes.md. */
export const LIFETIME_BOUNDS = {
  accessTokenSeconds: { min: 60, max: 86_400 },
  refreshIdleSeconds: { min: 3600, max: 365 * 86_400 },
  refreshAbsoluteSeconds: { min: 3600, max: 400 * 86_400 },
} as const;

export type Lifetimes = Record<keyof typeof LIFETIME_BOUNDS, number>;

/** A client's lifetimes: its own, or the defaults. A page in a browser keeps a refresh token for a day at most, whatever is set. */
export function lifetimesOf({ type, options }: Pick<Client, "type" | "options">): Lifetimes {
  const absolute = options.refreshAbsoluteSeconds ?? LIFETIME.refreshAbsoluteSeconds;
  return {
    accessTokenSeconds: options.accessTokenSeconds ?? LIFETIME.accessTokenSeconds,
    refreshIdleSeconds: options.refreshIdleSeconds ?? LIFETIME.refreshIdleSeconds,
    refreshAbsoluteSeconds: type === "browser" ? Math.min(absolute, LIFETIME.refreshAbsoluteBrowserSeconds) : absolute,
  };
}
