import { TRPCClientError } from "@trpc/client";

type Problem = { path: string; message: string };
/** What the server says about a refused request, besides its message. */
type ErrorData = {
  httpStatus?: number;
  retryAfterSeconds?: number;
  requestId?: string;
  problems: Problem[];
  needsFreshSignIn: boolean;
  missesScope: boolean;
  conflict?: Conflict;
};
/** What somebody else saved since the form was read. CO-45. */
export type Conflict = { theirs: Record<string, unknown>; version: number; by: string | null; at: number | null };

/** Reads the data by hand: a schema library would be a tenth of the JavaScript of a page. */
function dataOf(error: unknown): ErrorData | undefined {
  if (!(error instanceof TRPCClientError) || !isRecord(error.data)) return undefined;
  const { httpStatus, retryAfterSeconds, requestId, problems, stepUp, missingScope, conflict } = error.data;
  return {
    ...(typeof httpStatus === "number" && { httpStatus }),
    ...(typeof retryAfterSeconds === "number" && { retryAfterSeconds }),
    ...(typeof requestId === "string" && { requestId }),
    problems: Array.isArray(problems) ? problems.filter(isProblem) : [],
    needsFreshSignIn: isRecord(stepUp),
    missesScope: typeof missingScope === "string",
    ...(isConflict(conflict) && { conflict }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isProblem = (value: unknown): value is Problem =>
  isRecord(value) && typeof value["path"] === "string" && typeof value["message"] === "string";

function isConflict(value: unknown): value is Conflict {
  if (!isRecord(value) || !isRecord(value["theirs"]) || typeof value["version"] !== "number") return false;
  const { by, at } = value;
  return (by === null || typeof by === "string") && (at === null || typeof at === "number");
}

/** What somebody else saved meanwhile, if that is why a save failed. */
export function conflictOf(error: unknown): Conflict | undefined {
  return dataOf(error)?.conflict;
}

/** The HTTP status of a failed request; undefined when there was no response. */
export function statusOf(error: unknown): number | undefined {
  return dataOf(error)?.httpStatus;
}

/** How many seconds to wait before a request that came too soon is sent again; undefined for any other error. CO-94. */
export function retryAfterOf(error: unknown): number | undefined {
  const data = dataOf(error);
  return data?.httpStatus === 429 ? data.retryAfterSeconds : undefined;
}

/** The id under which the server's log has a failed request; undefined when there was no response. */
export function requestIdOf(error: unknown): string | undefined {
  return dataOf(error)?.requestId;
}

/** True if the user has to sign in again to do this: their sign-in is too long ago. */
export function needsFreshSignIn(error: unknown): boolean {
  return dataOf(error)?.needsFreshSignIn ?? false;
}

/** True if the session has ended, or began before an update added a scope that this request needs. */
export function needsSignIn(error: unknown): boolean {
  const data = dataOf(error);
  return data !== undefined && ((data.httpStatus === 401 && !data.needsFreshSignIn) || data.missesScope);
}

/** True if another person has signed in to the console with this browser since the page was loaded. CO-87. */
export function isOtherUser(error: unknown): boolean {
  return statusOf(error) === 412;
}

/** A message to show to the user. */
export function messageOf(error: unknown): string {
  if (statusOf(error) === undefined) return isOffline() ? OFFLINE : UNREACHABLE;
  return error instanceof Error && error.message !== "" ? error.message : "Something went wrong. Try again.";
}

const OFFLINE = "You’re offline. Nothing was sent. Try again when you’re connected.";
const UNREACHABLE = "Can’t reach the Gatehouse server. Check that it is running, then try again.";
const isOffline = () => typeof window !== "undefined" && !window.navigator.onLine;

/** Validation errors by field path, e.g. `{ "redirectUris.0": "…" }`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const problems = dataOf(error)?.problems ?? [];
  return Object.fromEntries(problems.filter(({ path }) => path !== "").map(({ path, message }) => [path, message]));
}
