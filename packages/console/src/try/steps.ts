import { DEVICE_CODE_GRANT, introspect, scopeTokens, token, userinfo } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { shownRedirect } from "./masking.ts";
import { openRun, sessionOf } from "./run.ts";
import { type RunTicket, sealRunTicket } from "./run-ticket.ts";
import type { Call, Session } from "./session.ts";
import { failureOf, send, type Trace } from "./trace.ts";

/**
 * What the operator does next: sign in at `url`, which returns to the console with `state`; confirm a code at `url`;
 * wait until the user has decided; or nothing.
 */
export type Next =
  | { kind: "sign_in"; url: string; state: string }
  | { kind: "device"; url: string; userCode: string; intervalSeconds: number }
  | { kind: "wait" }
  | { kind: "none" };

export type StepResult = {
  /** Replaces the ticket of the step before. */
  ticket: string;
  traces: Trace[];
  next: Next;
  /** What can be done with what the run holds. */
  can: { refresh: boolean; check: boolean };
};

/** What the browser brought to the console's callback. */
export type Callback = {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
};

export type StepInput = {
  ticket: string;
  /** Passes through to the request, and is not kept. */
  secret?: string | undefined;
  step: { kind: "exchange"; callback: Callback } | { kind: "poll" } | { kind: "refresh" };
};

/**
 * The next request of a run, and what follows from its answer. Throws `conflict` when the run has ended or is not at
 * that step. CO-41.
 */
export async function stepTry(
  { ticket: sealed, secret, step }: StepInput,
  author: Author,
  deps: OperationDeps,
): Promise<StepResult> {
  const open = await openRun(sealed, author, deps);
  const session = sessionOf(open, secret, author, deps);
  if (step.kind === "exchange") return exchange(open.ticket, step.callback, session);
  return step.kind === "poll" ? poll(open.ticket, session) : refresh(open.ticket, session);
}

const CALL = { endpoint: token, path: "/token", expected: [200] };

/** The request that exchanges the code of a run. */
export function codeCall(code: string, verifier: string, { deps }: Pick<Session, "deps">): Call {
  return {
    ...CALL,
    title: "Exchange the code",
    why: "A code is exchanged once, and only with the verifier whose hash the request had.",
    section: "OAuth 2.1 §4.1.3",
    form: {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: deps.config.consoleCallback ?? "",
    },
  };
}

/** The request of a client for itself. */
export function clientCredentialsCall(asked: Record<string, string>): Call {
  return {
    ...CALL,
    title: "Request a token",
    why: "The client acts for itself: no user takes part, and no refresh token follows.",
    section: "OAuth 2.1 §4.2",
    form: { grant_type: "client_credentials", ...asked },
  };
}

async function exchange(ticket: RunTicket, callback: Callback, session: Session): Promise<StepResult> {
  if (ticket.kind !== "code" || ticket.verifier === undefined || ticket.code !== undefined) throw notNow();
  if (callback.state !== ticket.state)
    throw new DomainError("conflict", "The response belongs to another run: its state differs.");
  const returned = await callbackTrace(callback, session);
  if (callback.code === undefined || returned.outcome === "unexpected") return resultOf(ticket, [returned], session);
  const { trace, json } = await send(codeCall(callback.code, ticket.verifier, session), session);
  return afterTokens({ ...ticket, code: callback.code }, [returned, trace], json, session);
}

/** What happened in the browser, read from the address that it came back to. */
async function callbackTrace(
  { code, state, iss, error, error_description }: Callback,
  session: Session,
): Promise<Trace> {
  const { deps, reveal } = session;
  const { consoleCallback = "", issuer } = deps.config;
  const isOurs = iss === issuer;
  const location = shownRedirect(consoleCallback, { code, error, error_description, state, iss }, reveal);
  const [, errorId] = /\(error_id: ([0-9A-Z]{10})\)/.exec(error_description ?? "") ?? [];
  return {
    title: "Sign in and allow",
    request: { method: "GET", url: `${issuer}/authorize`, headers: [], body: "" },
    response: { status: 303, headers: [["location", location]], body: "" },
    ms: null,
    why: isOurs
      ? "The browser returns with a code, the state of the request, and the issuer, which the client compares."
      : "The issuer of the response is not this server’s, so a client must not use its code.",
    section: isOurs ? "OAuth 2.1 §4.1.2" : "RFC 9207 §2.4",
    outcome: isOurs && code !== undefined ? "as_expected" : "unexpected",
    curl: "",
    tokens: [],
    failure: errorId === undefined ? null : await failureOf(errorId, session),
  };
}

async function poll(ticket: RunTicket, session: Session): Promise<StepResult> {
  if (ticket.deviceCode === undefined || ticket.accessToken !== undefined) throw notNow();
  const { trace, json } = await send(
    {
      ...CALL,
      title: "Poll for the token",
      why: "The device asks until its user has decided, no faster than the interval allows.",
      section: "RFC 8628 §3.4",
      form: { grant_type: DEVICE_CODE_GRANT, device_code: ticket.deviceCode },
      expected: [200, 400],
    },
    session,
  );
  const pending = json["error"] === "authorization_pending" || json["error"] === "slow_down";
  const decided = {
    ...trace,
    outcome: json["access_token"] === undefined && !pending ? ("unexpected" as const) : trace.outcome,
  };
  const result = await afterTokens(ticket, [decided], json, session);
  return pending ? { ...result, next: { kind: "wait" } } : result;
}

async function refresh(ticket: RunTicket, session: Session): Promise<StepResult> {
  if (ticket.refreshToken === undefined) throw notNow();
  const { trace, json } = await send(
    {
      ...CALL,
      title: "Refresh",
      why: "A refresh token brings a new access token and, once used, its own successor.",
      section: "OAuth 2.1 §4.3",
      form: { grant_type: "refresh_token", refresh_token: ticket.refreshToken },
    },
    session,
  );
  return afterTokens(ticket, [trace], json, session);
}

/** Looks at the token that a response brought, as an API would, and asks for the user's claims if it may. */
export async function afterTokens(
  ticket: RunTicket,
  traces: Trace[],
  json: Record<string, unknown>,
  session: Session,
): Promise<StepResult> {
  const accessToken = textAt(json, "access_token");
  if (accessToken === undefined) return resultOf(ticket, traces, session);
  const refreshToken = textAt(json, "refresh_token") ?? ticket.refreshToken;
  const held = { ...ticket, accessToken, ...(refreshToken !== undefined && { refreshToken }) };
  const introspected = await send(introspection(accessToken), session);
  const isOpenId = scopeTokens(textAt(json, "scope") ?? "").includes("openid");
  const claims = isOpenId ? [await send(userinfoCall(accessToken), session)] : [];
  return resultOf(held, [...traces, introspected.trace, ...claims.map(({ trace }) => trace)], session);
}

/** What an API learns about a token. */
export const introspection = (accessToken: string): Call => ({
  title: "Introspect the token",
  why: "An API learns here whether the token is active, who it is for and what it allows.",
  section: "RFC 7662 §2",
  endpoint: introspect,
  path: "/introspect",
  form: { token: accessToken },
  expected: [200],
});

const userinfoCall = (accessToken: string): Call => ({
  title: "Ask who the user is",
  why: "With the scope openid, the token opens the claims about its user.",
  section: "OpenID Connect Core §5.3",
  endpoint: userinfo,
  path: "/userinfo",
  bearer: accessToken,
  expected: [200],
});

function resultOf(ticket: RunTicket, traces: Trace[], { deps }: Pick<Session, "deps">): StepResult {
  const can = {
    refresh: ticket.refreshToken !== undefined,
    check: ticket.code !== undefined && ticket.accessToken !== undefined,
  };
  return { ticket: sealRunTicket(ticket, deps), traces, next: { kind: "none" }, can };
}

function textAt(json: Record<string, unknown>, member: string): string | undefined {
  const value = json[member];
  return typeof value === "string" ? value : undefined;
}

function notNow(): DomainError {
  return new DomainError("conflict", "The run is not at this step.");
}
