/** How long things live, in seconds. The reasons are in the specification's recommended constants. */
export const LIFETIME = {
  /** FAPI 2: dead after 62 s. */
  codeSeconds: 60,
  accessTokenSeconds: 600,
  refreshIdleSeconds: 14 * 86_400,
  refreshAbsoluteSeconds: 30 * 86_400,
  /** Single-page apps, RFC 10017 §6.3.2.3. */
  refreshAbsoluteBrowserSeconds: 86_400,
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
