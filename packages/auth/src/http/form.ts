import { OAuthError } from "../errors/error.ts";
import { readText } from "./body.ts";

const CONTENT_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const CONTROL = /\p{Cc}/u;
/** What must never stand in a URL: it is logged, cached and passed on. OAuth 2.1 §2.4.1. */
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
/** RFC 8707 §2: the only parameter that may come more than once. */
const REPEATABLE = "resource";

/**
 * The known parameters of one form post. An empty value counts as absent, an unknown parameter is ignored, a known
 * one sent twice is refused. OAuth 2.1 §3.2, TK-04.
 */
export class Form {
  readonly #values = new Map<string, string[]>();

  /** Throws `invalid_request` for a repeated parameter and for control characters. */
  constructor(parameters: URLSearchParams, known: readonly string[]) {
    for (const [name, value] of parameters) {
      if (!known.includes(name)) continue;
      const values = this.#values.get(name);
      if (values && name !== REPEATABLE) throw badForm("parameter_repeated", `${name} was sent more than once.`);
      if (CONTROL.test(value)) throw badForm("parameter_malformed", `${name} has a control character.`);
      if (values) values.push(value);
      else this.#values.set(name, [value]);
    }
  }

  /** Reads a request's body, strictly: type, size, encoding. Throws `invalid_request`; 413 or 408 for a body that is too large or too slow. */
  static async read(request: Request, known: readonly string[]): Promise<Form> {
    if (!CONTENT_TYPE.test(request.headers.get("content-type") ?? "")) {
      throw badForm("content_type_unsupported", "Send the parameters as application/x-www-form-urlencoded.");
    }
    refuseCredentialsInQuery(request.url);
    const body = await readText(request);
    // One call finds broken escapes and escapes that are not UTF-8; a raw byte that is not has become U+FFFD by now.
    if (body.includes("\uFFFD") || !isDecodable(body)) throw badForm("body_unreadable", "The body is not form-encoded UTF-8.");
    return new Form(new URLSearchParams(body), known);
  }

  optional(name: string): string | undefined {
    return this.#values.get(name)?.[0] || undefined;
  }

  /** Throws `invalid_request` when it is absent or empty. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw badForm("parameter_missing", `${name} is missing.`);
    return value;
  }

  all(name: string): string[] {
    return (this.#values.get(name) ?? []).filter((value) => value !== "");
  }
}

function badForm(
  cause: "parameter_repeated" | "parameter_malformed" | "parameter_missing" | "content_type_unsupported" | "body_unreadable",
  description: string,
): OAuthError {
  return new OAuthError("invalid_request", cause, description, { description });
}

function isDecodable(text: string): boolean {
  if (!text.includes("%")) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function refuseCredentialsInQuery(url: string): void {
  const query = url.indexOf("?");
  if (query === -1) return;
  const sent = new URLSearchParams(url.slice(query + 1));
  const found = CREDENTIALS.find((name) => sent.has(name));
  if (found === undefined) return;
  const description = `${found} must be in the body, never in the URL.`;
  throw new OAuthError("invalid_request", "parameter_in_query", description, { description });
}
