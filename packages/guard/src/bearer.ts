import { type AuthenticationDemand, requireAuthentication, type SignIn } from "./authentication.ts";
import { GuardError, type GuardErrorDetail, invalidToken } from "./error.ts";
import { isSubsetScope } from "./scope.ts";

/** What a route requires of a token: all of these scopes, and how its user signed in (default: any way). */
export type TokenDemand = { scope: string | readonly string[] } & AuthenticationDemand;

/** An access token as sent; `bound` when the scheme was DPoP. OAuth 2.1 §5.1.1, RFC 9449 §7.1. */
export type SentToken = { secret: string; bound: boolean };

/** What the checks need of a token that was looked up; `dpopJkt` is the thumbprint of the key that it is bound to. */
export type FoundToken = { scope: string; context: (SignIn & { dpopJkt?: string }) | null };

/** Where the facts about a token come from. */
export type TokenChecks<Token extends FoundToken> = {
  /** Looks the token up: in a store, by introspection or in the token itself. Throws unless it is valid here. */
  find: (secret: string) => Promise<Token>;
  /** Verifies the request's DPoP proof for this token and returns the thumbprint of its key. */
  prove: (secret: string, token: Token) => Promise<string>;
  /** Which token it was, for the log of a rejected one. */
  describe?: (token: Token) => GuardErrorDetail;
  /** Unix seconds. */
  now: () => number;
};

const SCHEME = /^(bearer|dpop)(?: +([^ ].*)?)?$/i;
/** OAuth 2.1 §5.1.1. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Reads the access token of an `Authorization` header. Throws `invalid_token` without one, and `invalid_request` for
 * several. OAuth 2.1 §5.1.1, BR-01, BR-07.
 */
export function readAuthorization(header: string | null): SentToken {
  // `Headers` joins repeated fields with a comma; two tokens would be ambiguous. BR-07.
  if (header?.includes(",")) {
    const description = "Send one Authorization header.";
    throw new GuardError("invalid_request", "authorization_repeated", description, { description });
  }
  const [, scheme = "", secret = ""] = SCHEME.exec(header ?? "") ?? [];
  if (secret === "") {
    const description = "Send an access token as a bearer token.";
    throw new GuardError("invalid_token", "token_missing", "no bearer token", { description });
  }
  if (!B64TOKEN.test(secret)) throw invalidToken("token_malformed", "not a valid bearer token");
  return { secret, bound: scheme.toLowerCase() === "dpop" };
}

/**
 * Checks a token that was sent: that it is valid here, that the sender holds the key it is bound to, that it has every
 * scope, and how its user signed in. Returns it, or throws the error of the first check that fails. OAuth 2.1 §5.2, RFC
 * 9449 §7, BR-06, BR-09, DP-04, DP-05.
 */
export async function checkToken<Token extends FoundToken>(
  sent: SentToken,
  demand: TokenDemand,
  checks: TokenChecks<Token>,
): Promise<Token> {
  const token = await checks.find(sent.secret);
  if (sent.bound || token.context?.dpopJkt !== undefined) await requirePossession(token, sent, checks);
  const scope = scopeOf(demand);
  if (!isSubsetScope(scope, token.scope)) throw insufficientScope(scope, token.scope);
  requireAuthentication(demand, token.context, checks.now());
  return token;
}

/** The scope of a demand, space-separated. */
export function scopeOf({ scope }: Pick<TokenDemand, "scope">): string {
  return typeof scope === "string" ? scope : scope.join(" ");
}

/**
 * RFC 9449 §7.1, §7.2: a bound token requires the DPoP scheme and a proof of its key; an unbound one requires the
 * Bearer scheme.
 */
async function requirePossession<Token extends FoundToken>(
  token: Token,
  { secret, bound }: SentToken,
  { prove, describe = () => ({}) }: TokenChecks<Token>,
): Promise<void> {
  const dpopJkt = token.context?.dpopJkt;
  if (!bound) {
    const message = "the token is bound to a key but was sent as a bearer token";
    throw invalidToken("token_scheme_wrong", message, describe(token));
  }
  if (dpopJkt === undefined) {
    const message = "the token is not bound to a key but was sent with the DPoP scheme";
    throw invalidToken("token_scheme_wrong", message, describe(token));
  }
  const proven = await prove(secret, token).catch(asUnauthorized);
  if (proven !== dpopJkt)
    throw invalidToken("dpop_key_differs", "the token is bound to another key than the proof's", describe(token));
}

/** A proof error is a 400 at the token endpoint but a 401 at a resource. RFC 9449 §7.1, §9. */
function asUnauthorized(thrown: unknown): never {
  if (!(thrown instanceof GuardError)) throw thrown;
  const { code, refusalCause, message, detail, headers, description } = thrown;
  const described = description === undefined ? {} : { description };
  throw new GuardError(code, refusalCause, message, { status: 401, detail, headers, ...described });
}

function insufficientScope(needed: string, held: string): GuardError {
  const description = `This requires the scope ${needed}.`;
  const detail = { needed, held };
  return new GuardError("insufficient_scope", "scope_insufficient", description, { description, detail });
}
