import type { Client } from "./clients/client.ts";

/** Default lifetimes, in seconds. docs/lifetimes.md gives the reasons. SE-19. */
export const LIFETIME = {
  /** FAPI 2 allows 62 s at most. AC-03. */
  codeSeconds: 60,
  accessTokenSeconds: 600,
  /** Clients read it once, on arrival. As a logout hint it stays valid longer. */
  idTokenSeconds: 3600,
  refreshIdleSeconds: 14 * 86_400,
  refreshAbsoluteSeconds: 30 * 86_400,
  /** Single-page apps, RFC 10017 §6.3.2.3, BB-06. */
  refreshAbsoluteBrowserSeconds: 86_400,
  /** Between pushing a request and opening it. RFC 9126 §2.2. */
  pushedRequestSeconds: 60,
  deviceCodeSeconds: 600,
  devicePollSeconds: 5,
  /** The sealed pending request, through sign-in, sign-up and reset. AZ-31. */
  pendingRequestSeconds: 30 * 60,
  sessionIdleSeconds: 14 * 86_400,
  sessionAbsoluteSeconds: 30 * 86_400,
  /** Without "Keep me signed in". SN-02. */
  briefSessionIdleSeconds: 8 * 3600,
  briefSessionAbsoluteSeconds: 24 * 3600,
} as const;

/** A code is invalid after this many wrong verifiers. PK-06. */
export const MAX_VERIFIER_ATTEMPTS = 5;
/** Each early poll of a device lengthens its interval by this. RFC 8628 §3.5. */
export const SLOW_DOWN_SECONDS = 5;

/** The range of a client's own lifetimes, in seconds, inclusive. docs/lifetimes.md gives reasons and effects. */
export const LIFETIME_BOUNDS = {
  accessTokenSeconds: { min: 60, max: 86_400 },
  refreshIdleSeconds: { min: 3600, max: 365 * 86_400 },
  refreshAbsoluteSeconds: { min: 3600, max: 400 * 86_400 },
} as const;

export type Lifetimes = Record<keyof typeof LIFETIME_BOUNDS, number>;

/**
 * A client's lifetimes: its own or the defaults. A browser client's refresh token lives a day at most, whatever is
 * configured.
 */
export function lifetimesOf({ type, options }: Pick<Client, "type" | "options">): Lifetimes {
  const absolute = options.refreshAbsoluteSeconds ?? LIFETIME.refreshAbsoluteSeconds;
  return {
    accessTokenSeconds: options.accessTokenSeconds ?? LIFETIME.accessTokenSeconds,
    refreshIdleSeconds: options.refreshIdleSeconds ?? LIFETIME.refreshIdleSeconds,
    refreshAbsoluteSeconds: type === "browser" ? Math.min(absolute, LIFETIME.refreshAbsoluteBrowserSeconds) : absolute,
  };
}
