import { pathOf, pathReadings } from "./path.ts";
import { matchNormalised } from "./route-matcher.ts";

/** What a guard's callback can ask about the caller. The session is read at most once, and only when needed. */
export type GuardContext<S> = {
  session(): Promise<S | undefined>;
  /**
   * Returns the session. Without one it ends the callback, and the caller gets `unauthorized`: the JSON 401 by default;
   * pages pass their redirect to the sign-in page.
   */
  protect(unauthorized?: () => Response): Promise<S>;
};

/**
 * Decides about one request: a Response ends it, undefined lets it through. `path` is normalised. For a path with an
 * escaped slash the callback runs for both readings, and either call may end the request.
 */
export type GuardCallback<S> = (auth: GuardContext<S>, request: Request, path: string) => Guarded;

export type GuardOptions<S> = {
  readSession: (request: Request) => Promise<S | undefined>;
  /** Route patterns that the guard ignores: it calls neither the callback nor `readSession`. */
  skip?: readonly string[];
};

/** What a guard returns: a promise only if the callback had to wait. It rejects with what the callback throws. */
export type Guarded = Response | undefined | Promise<Response | undefined>;

/** Thrown by {@link GuardContext.protect} to end the callback; never leaves this file. */
class EarlyResponse {
  readonly response: Response;
  constructor(response: Response) {
    this.response = response;
  }
}

/**
 * Makes a guard to run in front of the route handlers. It returns a Response that ends the request (400 for a malformed
 * path, 401, or the callback's own), or undefined to let the request through. No header can switch it off. Handlers
 * must check again: a guard in front is a convenience, not a security boundary (SD-03).
 */
export function createGuard<S>(callback: GuardCallback<S>, { readSession, skip = [] }: GuardOptions<S>) {
  const isSkipped = matchNormalised(skip);

  return (request: Request): Guarded => {
    const readings = pathReadings(pathOf(request.url));
    if (readings === undefined) return malformedPath();
    const context = new ReadOnce(request, readSession);
    const [path = "", other] = readings;
    try {
      const decided = isSkipped(path) ? undefined : callback(context, request, path);
      if (other === undefined && !(decided instanceof Promise)) return decided;
      return checkBoth(decided, () =>
        other === undefined || isSkipped(other) ? undefined : callback(context, request, other),
      );
    } catch (thrown) {
      return thrown instanceof EarlyResponse ? thrown.response : Promise.reject(thrown);
    }
  };
}

/** The decision about the first reading of a path, or else that about the second. */
async function checkBoth(first: Guarded, checkSecond: () => Guarded): Promise<Response | undefined> {
  try {
    return (await first) ?? (await checkSecond());
  } catch (thrown) {
    if (thrown instanceof EarlyResponse) return thrown.response;
    throw thrown;
  }
}

class ReadOnce<S> implements GuardContext<S> {
  readonly #request: Request;
  readonly #readSession: GuardOptions<S>["readSession"];
  #session: Promise<S | undefined> | undefined;

  constructor(request: Request, readSession: GuardOptions<S>["readSession"]) {
    this.#request = request;
    this.#readSession = readSession;
  }

  session = (): Promise<S | undefined> => (this.#session ??= this.#readSession(this.#request));

  protect = async (unauthorized = unauthenticated): Promise<S> => {
    const active = await this.session();
    if (active === undefined) throw new EarlyResponse(unauthorized());
    return active;
  };
}

const UNAUTHENTICATED = JSON.stringify({
  error: "unauthenticated",
  error_description: "This needs a signed-in session.",
});
const MALFORMED_PATH = JSON.stringify({ error: "invalid_request", error_description: "The path is malformed." });
const JSON_HEADERS = Object.freeze({ "Content-Type": "application/json", "Cache-Control": "no-store" });
const CHALLENGE_HEADERS = Object.freeze({ ...JSON_HEADERS, "WWW-Authenticate": 'Cookie realm="gatehouse"' });

/** 401 as JSON: there is no session (SD-01). The challenge names our session cookie; RFC 9110 §15.5.2 requires one. */
export function unauthenticated(): Response {
  return new Response(UNAUTHENTICATED, { status: 401, headers: CHALLENGE_HEADERS });
}

/** 400 as JSON: the path has more than one reading. */
function malformedPath(): Response {
  return new Response(MALFORMED_PATH, { status: 400, headers: JSON_HEADERS });
}
