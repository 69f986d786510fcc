import { pathOf, pathReadings } from "./path.ts";
import { createRouteMatcher } from "./route-matcher.ts";

/** What a guard's callback can ask about the caller. The session is read at most once, and only when needed. */
export type GuardContext<S> = {
  session(): Promise<S | undefined>;
  /**
   * Returns the session. Without one it ends the callback, and the caller gets `unauthorized`: the JSON 401 by default; pages
   * pass their redirect to the sign-in page.
   */
  protect(unauthorized?: () => Response): Promise<S>;
};

/**
 * Decides about one request: a Response ends it, undefined lets it through. `path` is normalised. For a path with an escaped
 * slash the callback runs for both readings, and either call may end the request.
 */
export type GuardCallback<S> = (
  auth: GuardContext<S>,
  request: Request,
  path: string,
) => Promise<Response | undefined> | Response | undefined;

export type GuardOptions<S> = {
  readSession: (request: Request) => Promise<S | undefined>;
  /** Route patterns that the guard ignores: it calls neither the callback nor `readSession`. */
  skip?: readonly string[];
};

/** Thrown by {@link GuardContext.protect} to end the callback; never leaves this file. */
class EarlyResponse {
  readonly response: Response;
  constructor(response: Response) {
    this.response = response;
  }
}

/**
 * Makes a guard to run in front of the route handlers. It returns a Response that ends the request (400 for a malformed path,
 * 401, or the callback's own), or undefined to let the request through. No header can switch it off. Handlers must check again:
 * a guard in front is a convenience, not a security boundary (SD-03).
 */
export function createGuard<S>(callback: GuardCallback<S>, { readSession, skip = [] }: GuardOptions<S>) {
  const isSkipped = createRouteMatcher(skip);

  return async (request: Request): Promise<Response | undefined> => {
    const readings = pathReadings(pathOf(request.url));
    if (readings === undefined) return malformedPath();

    let sessionRead: Promise<S | undefined> | undefined;
    const session = () => (sessionRead ??= readSession(request));
    const protect = async (unauthorized = unauthenticated) => {
      const active = await session();
      if (active === undefined) throw new EarlyResponse(unauthorized());
      return active;
    };
    try {
      for (const path of readings) {
        const response = isSkipped(path) ? undefined : await callback({ session, protect }, request, path);
        if (response) return response;
      }
      return undefined;
    } catch (thrown) {
      if (thrown instanceof EarlyResponse) return thrown.response;
      throw thrown;
    }
  };
}

/** 401 as JSON: there is no session (SD-01). The challenge names our session cookie; RFC 9110 §15.5.2 requires one. */
export function unauthenticated(): Response {
  return json(
    401,
    { error: "unauthenticated", error_description: "This needs a signed-in session." },
    { "WWW-Authenticate": 'Cookie realm="gatehouse"' },
  );
}

/** 400 as JSON: the path has more than one reading. */
export function malformedPath(): Response {
  return json(400, { error: "invalid_request", error_description: "The path is malformed." });
}

function json(status: number, body: Record<string, string>, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}
