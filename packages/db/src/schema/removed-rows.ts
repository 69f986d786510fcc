/** For how many seconds a removed application or client can be restored. CO-44. */
export const RESTORABLE_SECONDS = 7 * 86_400;

/**
 * The rows of a removed application or client, by the names of drizzle's columns. Rows of earlier versions lack later
 * columns.
 */
export type RemovedRows = {
  application: Record<string, unknown> | null;
  /** The logo is base64. */
  branding: Record<string, unknown> | null;
  clients: Record<string, unknown>[];
  /** When its clients last got a token, Unix seconds, by client id. */
  lastTokens?: Record<string, number>;
};
