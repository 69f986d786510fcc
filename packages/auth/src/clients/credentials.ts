import { type Jwt, readJwt } from "@gatehouse/guard";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import type { Form } from "../http/form.ts";

/** The parameters of client authentication, which every endpoint that authenticates clients accepts. */
export const CLIENT_PARAMETERS = ["client_id", "client_secret", "client_assertion", "client_assertion_type"] as const;

/** One reading of the credentials in a request; `secret` is undefined when none or an empty one was sent. */
export type Credentials = { clientId: string; secret: string | undefined; assertion?: Jwt };

/** RFC 7523 §2.2. */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const CONTROL = /\p{Cc}/u;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** `invalid_client`, with the same description for an unknown client and for a wrong or retired secret. N23. */
export function invalidClient(cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  return new OAuthError("invalid_client", cause, message, { description: "Client authentication failed.", detail });
}

/**
 * The possible readings of a request's credentials, most likely first; more than one only where HTTP Basic is
 * ambiguous. Throws `invalid_client` for missing or malformed credentials, `invalid_request` for more than one method.
 * OAuth 2.1 §2.4.
 */
export function readCredentials(request: Request, form: Form): Credentials[] {
  const header = request.headers.get("authorization");
  const secret = form.optional("client_secret");
  const assertion = form.optional("client_assertion");

  // CA-04: one method per request; client_id together with Basic is allowed.
  if (Number(header !== null) + Number(secret !== undefined) + Number(assertion !== undefined) > 1) {
    const description = "Use only one client authentication method.";
    throw new OAuthError("invalid_request", "client_mechanisms_mixed", description, { description });
  }
  const clientId = form.optional("client_id");
  if (assertion !== undefined) return [readAssertion(assertion, form.optional("client_assertion_type"), clientId)];
  if (header === null) {
    if (clientId === undefined)
      throw invalidClient("client_missing", "neither client_id nor an Authorization header was sent");
    return [{ clientId, secret }];
  }
  const readings = readBasic(header);
  if (clientId !== undefined && !readings.some((reading) => reading.clientId === clientId)) {
    throw invalidClient("client_id_mismatch", "client_id in the body differs from the Authorization header");
  }
  return readings;
}

/** An assertion names its client in `sub`. Nothing is verified yet. RFC 7521 §4.2. */
function readAssertion(sent: string, type: string | undefined, clientId: string | undefined): Credentials {
  if (type !== ASSERTION_TYPE)
    throw invalidClient("client_credentials_malformed", `client_assertion_type must be ${ASSERTION_TYPE}`);
  const assertion = readJwt(sent);
  const subject = assertion?.claims["sub"];
  if (!assertion || typeof subject !== "string" || subject === "")
    throw invalidClient("assertion_malformed", "not a signed JWT with a sub");
  if (clientId !== undefined && clientId !== subject)
    throw invalidClient("client_id_mismatch", "client_id in the body differs from sub in the assertion");
  return { clientId: subject, secret: undefined, assertion };
}

/**
 * The standard form-encodes id and secret, but some clients send them raw: try the standard first. RFC 6749 §2.3.1,
 * CA-02.
 */
function readBasic(header: string): Credentials[] {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined)
    throw invalidClient("client_credentials_malformed", "the Authorization header is not HTTP Basic");

  const pair = decodeUtf8(Buffer.from(encoded, "base64"));
  const colon = pair?.indexOf(":") ?? -1;
  if (pair === undefined || colon < 1 || CONTROL.test(pair))
    throw invalidClient("client_credentials_malformed", "not base64 of id:secret in UTF-8");

  const raw = { clientId: pair.slice(0, colon), secret: pair.slice(colon + 1) || undefined };
  if (!/[%+]/.test(pair)) return [raw];

  const clientId = decodeForm(raw.clientId);
  const secret = decodeForm(raw.secret ?? "");
  if (clientId === undefined || secret === undefined || CONTROL.test(clientId)) return [raw];
  return [{ clientId, secret: secret || undefined }, raw];
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeForm(half: string): string | undefined {
  try {
    return decodeURIComponent(half.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** The client id that a request claims, for the ledger; null when there is none. */
export function claimedClientId(request: Request, form: Form | undefined): string | null {
  try {
    return readBasic(request.headers.get("authorization") ?? "")[0]?.clientId ?? null;
  } catch {
    return form?.optional("client_id") ?? subjectOf(form?.optional("client_assertion"));
  }
}

function subjectOf(assertion: string | undefined): string | null {
  const subject = assertion === undefined ? undefined : readJwt(assertion)?.claims["sub"];
  return typeof subject === "string" ? subject : null;
}
