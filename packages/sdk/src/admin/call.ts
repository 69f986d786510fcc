import { AdminError, type AdminProblem } from "./error.ts";

export type Call = { path: string; kind: "query" | "mutation" };
type Server = { issuer: string; token: string; send: typeof fetch };

const ATTEMPTS = 3;
const TIMEOUT_MS = 30_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** The server did nothing, and may soon: a proxy has no server, the database is away, too many calls. */
const WAIT_STATUSES = [429, 502, 503, 504];

/** Calls a procedure over tRPC's HTTP. Rejects with {@link AdminError}. */
export async function call(procedure: Call, input: unknown, server: Server): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(procedure, input, server);
    if ("data" in outcome) return outcome.data;
    if (procedure.kind === "mutation" || attempt === ATTEMPTS || outcome.waitMs === undefined) throw outcome.error;
    const wait = Math.max(outcome.waitMs, FIRST_WAIT_MS * 2 ** (attempt - 1));
    if (wait > LONGEST_WAIT_MS) throw outcome.error;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** `waitMs`: after how long the same call may succeed; undefined if it will not. */
type Outcome = { data: unknown } | { error: AdminError; waitMs: number | undefined };

async function tryOnce({ path, kind }: Call, input: unknown, { issuer, token, send }: Server): Promise<Outcome> {
  const url = new URL(`/trpc/${path}`, issuer);
  const headers = new Headers({ authorization: `Bearer ${token}`, accept: "application/json" });
  if (kind === "query" && input !== undefined) url.searchParams.set("input", JSON.stringify(input));
  if (kind === "mutation") headers.set("content-type", "application/json");
  const request: RequestInit = { method: kind === "query" ? "GET" : "POST", headers, redirect: "manual" };
  if (kind === "mutation" && input !== undefined) request.body = JSON.stringify(input);
  let response: Response;
  let body: unknown;
  try {
    response = await send(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    body = parse(await response.text());
  } catch (cause) {
    const error = new AdminError("UNREACHABLE", `${issuer} does not answer.`, { cause });
    return { error, waitMs: 0 };
  }
  const data = memberOf(memberOf(body, "result"), "data");
  if (response.ok && hasMember(body, "result")) return { data };
  const waits = WAIT_STATUSES.includes(response.status);
  return { error: errorOf(path, response, body), waitMs: waits ? retryAfterMs(response) : undefined };
}

/** The seconds of `Retry-After`. RFC 9110 §10.2.3. */
function retryAfterMs({ headers }: Response): number {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : 0;
}

function errorOf(path: string, { status, headers }: Response, body: unknown): AdminError {
  const error = memberOf(body, "error");
  const data = memberOf(error, "data");
  const code = memberOf(data, "code");
  const message = memberOf(error, "message");
  const requestId = headers.get("x-request-id") ?? undefined;
  // Something in front of the server answered.
  if (typeof code !== "string" || typeof message !== "string")
    return new AdminError("UNREACHABLE", `The answer to ${path} has the status ${status} and is not the server's.`, {
      status,
      requestId,
    });
  return new AdminError(code, message, { status, requestId, problems: problemsOf(memberOf(data, "problems")) });
}

function problemsOf(value: unknown): AdminProblem[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const [path, message] = [memberOf(one, "path"), memberOf(one, "message")];
    return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hasMember = (value: unknown, name: string) => typeof value === "object" && value !== null && name in value;
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
