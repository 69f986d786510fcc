import { TooManyMails } from "@gatehouse/accounts";
import {
  type ActiveSession,
  type Caller,
  type OAuthError,
  type RefusalLogEntry,
  readSession,
  verifyCsrf,
} from "@gatehouse/auth";
import { isPrefetch, refusePrefetch } from "@gatehouse/runtime";
import { clientAddress, hasOwnListener, REQUEST_ID_HEADER, requestIdOf, traceIdOf } from "../node/address.ts";
import { budgetCookies } from "../pages/cookies/budget.ts";
import { type CheckedUpload, readForm, readUpload } from "../pages/forms/form.ts";
import { refuseForm } from "../pages/forms/lost-cookies.ts";
import { fail, tooManyAttempts, wrongMethod } from "../pages/responses/errors.tsx";
import { notSignedIn } from "../pages/responses/not-signed-in.ts";
import { type App, startApp, startedApp } from "../start/app.ts";
import { everywhereHeaders } from "./headers.ts";
import { POLICIES, type Policy, type RoutePath, type SessionOf } from "./policy-table.ts";
import { levelOf, requestLine } from "./request-line.ts";
import { NOTHING_SENT, RequestVisit, type Visit } from "./visit.ts";

export type { Visit } from "./visit.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

type Handler<Session> = (visit: Visit<Session>) => Response | Promise<Response>;
type Handlers<Session> = Handler<Session> | Partial<Record<Method, Handler<Session>>>;
/** Next passes a promise of the parameters, our own server the parameters. */
export type RouteHandler = (request: Request, context?: Context) => Promise<Response>;
type Context = { params: Visit["params"] | Promise<Visit["params"]> };

/**
 * Makes the handlers that a `route.ts` exports, one for each method, so that Next adds none of its own (NX-02).
 * Enforces the policy of `path` again behind the guard, turns errors into responses and logs one line.
 */
export function route<Path extends RoutePath>(
  path: Path,
  handlers: Handlers<SessionOf<Path>>,
): Record<Method, RouteHandler> {
  const handler: RouteHandler = async (request, context) => {
    const app = startedApp() ?? (await startApp());
    const began = performance.now();
    let refusal: RefusalLogEntry | undefined;
    let clientId: string | undefined;
    const requestId = requestIdOf(request.headers, app.env.trustedProxies);
    const caller: Caller = {
      address: clientAddress(request.headers, app.env.trustedProxies),
      requestId,
      onClient(id) {
        clientId = id;
      },
      onRefusal(note) {
        refusal = note;
      },
    };
    const given = context?.params ?? {};
    let response: Response;
    try {
      response = await answer(path, handlers, request, given instanceof Promise ? await given : given, app, caller);
    } catch (error) {
      response = await failed(path, error, new RequestVisit({ request, app, caller }));
    }
    nameError(path, response, refusal);
    keepCookiesReadable(request, response, app);
    if (!hasOwnListener()) addEverywhereHeaders(response, app, requestId);
    const ms = Math.round(performance.now() - began);
    const level = levelOf(response.status, ms, refusal);
    if (app.log.isLevelEnabled(level)) {
      const traceId = traceIdOf(request.headers, app.env.trustedProxies);
      const line = { route: path, method: request.method, status: response.status, ms, clientId, requestId, traceId };
      const deliveryId = response.headers.get("gatehouse-delivery-id");
      app.log[level](requestLine(line, { refusal, deliveryId }, app.env.adminUrl), "request");
    }
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<Method, RouteHandler>;
}

function addEverywhereHeaders({ headers }: Response, { env }: App, requestId: string): void {
  for (const [name, value] of Object.entries(everywhereHeaders(env.issuer))) headers.set(name, value);
  headers.set(REQUEST_ID_HEADER, requestId);
}

/** The id that leads from a page to the true cause: of a failed sign-in too, whose page does not say it. SL-01. */
function nameError(path: RoutePath, { headers }: Response, refusal: RefusalLogEntry | undefined): void {
  if (POLICIES[path].kind === "page" && refusal?.errorId != null && !headers.has("Gatehouse-Error-Id"))
    headers.set("Gatehouse-Error-Id", refusal.errorId);
}

/** The next request of the browser must not have more cookies than Node reads. */
function keepCookiesReadable(request: Request, response: Response, { deps: { config } }: App): void {
  const set = response.headers.getSetCookie();
  if (set.length === 0) return;
  for (const line of budgetCookies(request.headers.get("cookie"), set, config).drops)
    response.headers.append("Set-Cookie", line);
}

function failed(path: RoutePath, error: unknown, visit: Parameters<typeof fail>[2]): Promise<Response> {
  return error instanceof TooManyMails
    ? tooManyAttempts(error.retryAfterSeconds, visit, path)
    : fail(path, error, visit);
}

function answer<Path extends RoutePath>(
  path: Path,
  handlers: Handlers<SessionOf<Path>>,
  request: Request,
  params: Visit["params"],
  app: App,
  caller: Caller,
): Response | Promise<Response> {
  const { requires, kind } = POLICIES[path];
  const handle = typeof handlers === "function" ? handlers : handlers[methodOf(request, requires)];
  if (!handle) return wrongMethod(path, allowed(handlers, requires), new RequestVisit({ request, app, caller }));
  if (kind === "page" && isPrefetch(request.headers)) return refusePrefetch();
  const visit = { request, app, caller, params };
  const readsSession = kind === "page" || requires === "session" || requires === "signed_in";
  if (!readsSession) return handle(new RequestVisit(visit) as Visit<SessionOf<Path>>);
  return answerWithSession(path, handlers, handle, visit);
}

async function answerWithSession<Path extends RoutePath>(
  path: Path,
  handlers: Handlers<SessionOf<Path>>,
  handle: Handler<SessionOf<Path>>,
  known: Pick<Visit, "request" | "app" | "caller" | "params">,
): Promise<Response> {
  const { requires, kind } = POLICIES[path];
  const { request, app } = known;
  const session = await readSession(request.headers.get("cookie"), app.deps);
  if (!session && (requires === "session" || requires === "signed_in")) return notSignedIn(requires, request, app.deps);

  const isForm = kind === "page" && requires !== "client" && request.method === "POST";
  const check = (sent: URLSearchParams) => checkForm(path, request, sent, session, app);
  const { form, files, forged }: CheckedUpload = isForm ? await readFields(path, request, check) : NOTHING_SENT;
  const visit = new RequestVisit({ ...known, session, form, files });
  if (forged) return refuseForm(forged, path, visit, form, typeof handlers === "function" ? undefined : handlers.GET);
  return handle(visit as Visit<SessionOf<Path>>);
}

async function readFields(
  path: RoutePath,
  request: Request,
  check: (form: URLSearchParams) => OAuthError | undefined,
): Promise<CheckedUpload> {
  const policy: Policy = POLICIES[path];
  if (policy.kind === "page" && policy.form === "upload") return readUpload(request, check);
  const form = await readForm(request);
  return { form, files: NOTHING_SENT.files, forged: check(form) };
}

/** HEAD runs the GET handler, except where GET could issue something (AZ-30). */
function methodOf(request: Request, requires: string): Method {
  return request.method === "HEAD" && requires !== "client" ? "GET" : (request.method as Method);
}

function allowed(
  handlers: Partial<Record<Method, unknown>> | ((...args: never[]) => unknown),
  requires: string,
): string {
  return Object.keys(handlers)
    .flatMap((method) => (method === "GET" && requires !== "client" ? ["GET", "HEAD"] : [method]))
    .join(", ");
}

/** Without a session, signing out does nothing. */
function checkForm(
  path: RoutePath,
  request: Request,
  form: URLSearchParams,
  session: ActiveSession | undefined,
  app: App,
) {
  if (path === "/sign-out" && !session) return undefined;
  // The language switch is on pages with either token.
  if (path === "/language")
    return verifyCsrf(request, form, session, app.deps) && verifyCsrf(request, form, undefined, app.deps);
  const policy: Policy = POLICIES[path];
  const bound = policy.kind === "page" && policy.csrf === "browser" ? undefined : session;
  return verifyCsrf(request, form, bound, app.deps);
}
