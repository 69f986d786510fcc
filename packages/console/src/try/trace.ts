import { type RefusalCause, readJwt } from "@gatehouse/auth";
import { getRefusal } from "../failures/refusals.ts";
import { curlCommand } from "./curl.ts";
import { type Header, shownBody, shownForm, shownHeaders } from "./masking.ts";
import { proofOf } from "./proof.ts";
import type { Call, Session } from "./session.ts";

/** A JWT, decoded. */
export type DecodedToken = { name: string; header: Record<string, unknown>; claims: Record<string, unknown> };

/** One request of a run with its response, as the console shows them. CO-41. */
export type Trace = {
  title: string;
  request: { method: string; url: string; headers: Header[]; body: string };
  response: { status: number; headers: Header[]; body: string };
  /** Milliseconds on this server; null for what the browser did. */
  ms: number | null;
  /** One sentence: what the step is for, and the section of the standard that defines it. */
  why: string;
  section: string;
  /** Whether the server did what it should: a negative check is `as_expected` when it was refused. */
  outcome: "as_expected" | "unexpected";
  /** With placeholders for everything secret. */
  curl: string;
  tokens: DecodedToken[];
  /** The entry of the failure ledger, if the request was refused. */
  failure: { errorId: string; cause: RefusalCause; sentence: string; howToFix: string } | null;
};

export type Answer = { trace: Trace; status: number; json: Record<string, unknown> };

/** Where a client that requires DPoP proves its key. RFC 9449 §5, §7, §10.1. */
const PROVEN = new Set(["/par", "/token", "/userinfo"]);

/**
 * Sends a request to an endpoint of this server, in this process, and records both sides. Nothing goes over the
 * network. A proof that lacks the server's nonce is sent again with it, and only that request is recorded.
 */
export async function send(call: Call, session: Session): Promise<Answer> {
  const { protocol, caller, reveal } = session;
  const proofKey = PROVEN.has(call.path) ? session.proofKey : undefined;
  let request = requestOf(call, { ...session, proofKey });
  let began = performance.now();
  let response = await call.endpoint(request, protocol, caller);
  const nonce = response.headers.get("dpop-nonce");
  if (proofKey && !response.ok && nonce !== null) {
    request = requestOf(call, { ...session, proofKey }, nonce);
    began = performance.now();
    response = await call.endpoint(request, protocol, caller);
  }
  const ms = Math.round((performance.now() - began) * 10) / 10;
  const text = await response.text();
  const json = parsed(text);
  const errorId = response.headers.get("gatehouse-error-id");
  const trace: Trace = {
    title: call.title,
    request: {
      method: request.method,
      url: request.url,
      headers: shownHeaders(request.headers, reveal),
      body: call.form === undefined ? "" : shownForm(formOf(call.form, session), reveal),
    },
    response: {
      status: response.status,
      headers: shownHeaders(response.headers, reveal),
      body: shownBody(text, json, reveal),
    },
    ms,
    why: call.why,
    section: call.section,
    outcome: call.expected.includes(response.status) ? "as_expected" : "unexpected",
    curl: curlCommand(call, request.url, { ...session, proven: proofKey !== undefined }),
    tokens: decodedTokens(json),
    failure: errorId === null ? null : await failureOf(errorId, session),
  };
  return { trace, status: response.status, json };
}

function requestOf(call: Call, session: Session, nonce?: string): Request {
  const { proofKey, deps } = session;
  const url = `${deps.config.issuer}${call.path}`;
  const headers = new Headers({ accept: "application/json" });
  const method = call.form === undefined ? "GET" : "POST";
  if (proofKey) headers.set("dpop", proofOf({ method, url, accessToken: call.bearer, nonce }, proofKey, deps));
  if (call.bearer !== undefined) headers.set("authorization", `${proofKey ? "DPoP" : "Bearer"} ${call.bearer}`);
  if (call.form === undefined) return new Request(url, { headers });
  headers.set("content-type", "application/x-www-form-urlencoded");
  const { clientId, secret } = session;
  if (secret !== undefined)
    headers.set("authorization", `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(secret)}`).toString("base64")}`);
  return new Request(url, { method, headers, body: new URLSearchParams(formOf(call.form, session)).toString() });
}

/** OAuth 2.1 §2.4.1: form-encoded before base64. */
const encoded = (half: string) => new URLSearchParams({ half }).toString().slice("half=".length);

/**
 * The ticket authenticates the client, so that its request names it only. With a pasted secret, the header does both.
 * CO-40.
 */
function formOf(form: Record<string, string>, { clientId, secret }: Session): Record<string, string> {
  return secret === undefined ? { client_id: clientId, ...form } : form;
}

/** The entry that the operator would find under Failures. */
export async function failureOf(
  errorId: string,
  { author, deps }: Pick<Session, "author" | "deps">,
): Promise<Trace["failure"]> {
  const { cause, sentence, howToFix } = await getRefusal(errorId, author, deps);
  return { errorId, cause, sentence, howToFix };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const JWTS = [
  ["id_token", "ID token"],
  ["access_token", "Access token"],
] as const;

function decodedTokens(json: Record<string, unknown>): DecodedToken[] {
  return JWTS.flatMap(([member, name]) => {
    const value = json[member];
    const jwt = typeof value === "string" ? readJwt(value) : undefined;
    return jwt ? [{ name, header: jwt.header, claims: jwt.claims }] : [];
  });
}
