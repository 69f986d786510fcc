import { OAuthError } from "../errors/error.ts";
import { readText } from "./body.ts";

const CONTENT_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const CONTROL = /\p{Cc}/u;
/** Parameters that must not be in a URL, because URLs are logged, cached and forwarded. OAuth 2.1 §2.4.1. */
const CREDENTIALS = [
  "client_secret",
  "client_assertion",
  "code",
  "code_verifier",
  "refresh_token",
  "device_code",
  "token",
  "subject_token",
  "actor_token",
  "password",
];
/** The only parameters that may be repeated. RFC 8707 §2, RFC 8693 §2.1. */
const REPEATABLE = ["resource", "audience"];

/**
 * The known parameters of a form post. Empty values count as absent, unknown parameters are ignored, repeated ones are
 * an error. Read from the raw body, so that duplicates are detected. OAuth 2.1 §3.2, TK-04, DF-03, NX-05.
 */
export class Form {
  readonly #values = new Map<string, string | string[]>();

  /** Throws `invalid_request` for a repeated parameter and for control characters. */
  constructor(parameters: Iterable<[name: string, value: string]>, known: readonly string[]) {
    for (const [name, value] of parameters) {
      if (!known.includes(name)) continue;
      const before = this.#values.get(name);
      if (before !== undefined && !REPEATABLE.includes(name))
        throw badForm("parameter_repeated", `${name} was sent more than once.`);
      if (CONTROL.test(value)) throw badForm("parameter_malformed", `${name} contains a control character.`);
      this.#values.set(name, before === undefined ? value : [before, value].flat());
    }
  }

  /**
   * Reads a request's body and checks its type, size and encoding. Throws `invalid_request`, and as {@link readText}
   * does.
   */
  static async read(request: Request, known: readonly string[]): Promise<Form> {
    if (!CONTENT_TYPE.test(request.headers.get("content-type") ?? "")) {
      throw badForm("content_type_unsupported", "Send the parameters as application/x-www-form-urlencoded.");
    }
    rejectCredentialsInQuery(request.url);
    const body = await readText(request);
    // Raw bytes that are not UTF-8 have become U+FFFD.
    const parameters = body.includes("\uFFFD") ? undefined : parseForm(body);
    if (parameters === undefined) throw badForm("body_unreadable", "The body is not form-encoded UTF-8.");
    return new Form(parameters, known);
  }

  /** The value; undefined when absent or empty. */
  optional(name: string): string | undefined {
    const value = this.#values.get(name);
    return (typeof value === "string" ? value : value?.[0]) || undefined;
  }

  /** The value. Throws `invalid_request` when absent or empty. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw badForm("parameter_missing", `${name} is missing.`);
    return value;
  }

  /** Every value of a parameter that may be repeated. */
  all(name: string): string[] {
    return [this.#values.get(name) ?? []].flat().filter((value) => value !== "");
  }
}

function badForm(
  cause:
    | "parameter_repeated"
    | "parameter_malformed"
    | "parameter_missing"
    | "content_type_unsupported"
    | "body_unreadable",
  description: string,
): OAuthError {
  return new OAuthError("invalid_request", cause, description, { description });
}

function rejectCredentialsInQuery(url: string): void {
  const query = url.indexOf("?");
  if (query === -1) return;
  const sent = new URLSearchParams(url.slice(query + 1));
  const found = CREDENTIALS.find((name) => sent.has(name));
  if (found === undefined) return;
  const description = `${found} must be in the body, not in the URL.`;
  throw new OAuthError("invalid_request", "parameter_in_query", description, { description });
}

/**
 * The names and values of a form-encoded text, in order, as `new URLSearchParams(text)` reads them at a third of the
 * cost. Undefined for a malformed escape and for escapes that are not UTF-8, which `URLSearchParams` passes on as other
 * text. URL Standard §5.1.
 */
export function parseForm(text: string): [name: string, value: string][] | undefined {
  const parameters: [string, string][] = [];
  try {
    // A question mark at the start belongs to a query. `URLSearchParams` drops it.
    for (let start = text.startsWith("?") ? 1 : 0; start < text.length; ) {
      const ampersand = text.indexOf("&", start);
      const end = ampersand === -1 ? text.length : ampersand;
      if (end > start) parameters.push(parseParameter(text.slice(start, end)));
      start = end + 1;
    }
    return parameters;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function parseParameter(text: string): [string, string] {
  const equals = text.indexOf("=");
  return equals === -1 ? [decode(text), ""] : [decode(text.slice(0, equals)), decode(text.slice(equals + 1))];
}

/** Throws `URIError`. */
function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}
