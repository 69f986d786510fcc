import { GatehouseError } from "@gatehouse/sdk/next";
import { errorResponse } from "./forward.ts";

/**
 * What the user reads where the session does not serve. Rethrows what is not about the session.
 *
 * @throws `error`, if it is something else.
 */
export function sessionProblem(error: unknown): { error: GatehouseError; message: string } {
  if (!(error instanceof GatehouseError)) throw error;
  switch (error.code) {
    case "signed_out":
      return { error, message: "You are signed out. Sign in again." };
    case "cross_origin":
      return { error, message: "Only pages of the console can send this request." };
    case "unavailable":
      return { error, message: "Can’t reach the Gatehouse server." };
    default:
      throw error;
  }
}

const CODES: Record<number, string> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN", 503: "SERVICE_UNAVAILABLE" };

/** The response to a call of a procedure whose session does not serve, as the tRPC client reads it. */
export function refusedCall(thrown: unknown): Response {
  const { error, message } = sessionProblem(thrown);
  const response = errorResponse(error.status, CODES[error.status] ?? "INTERNAL_SERVER_ERROR", message);
  if (error.retryAfterSeconds !== undefined) response.headers.set("retry-after", String(error.retryAfterSeconds));
  return response;
}
