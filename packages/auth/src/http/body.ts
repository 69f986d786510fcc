import { BODY_SECONDS, BodyError, readText as readBody } from "@gatehouse/runtime";
import { OAuthError } from "../errors/error.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** Far more than the parameters of any endpoint need, in bytes. */
const BODY_LIMIT = 64 * 1024;

/**
 * Reads the body of a request as text. Throws `invalid_request`: 413 for more than `limit` bytes, 408 when it takes
 * longer than {@link BODY_SECONDS}, 400 when the sender hangs up.
 */
export async function readText(request: Request, limit = BODY_LIMIT): Promise<string> {
  try {
    return await readBody(request, limit);
  } catch (thrown) {
    throw thrown instanceof BodyError ? bodyRefusal(thrown) : thrown;
  }
}

/**
 * Reads the body of a request as a JSON object. Throws `invalid_client_metadata` for anything else, and as `readText`
 * does. RFC 7591 §3.1.
 */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  const invalid = (cause: "content_type_unsupported" | "body_unreadable", description: string) =>
    new OAuthError("invalid_client_metadata", cause, description, { description });
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? ""))
    throw invalid("content_type_unsupported", "Send the body as application/json.");
  const text = await readText(request);
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("body_unreadable", "The body is not a JSON object.");
  return { ...value };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error that tells a sender what is wrong with its body. RFC 9110 §15.5.9, §15.5.14. */
export function bodyRefusal({ problem, maxBytes }: BodyError): OAuthError {
  if (problem === "too_large") {
    const description = `The body is larger than ${maxBytes / 1024} KiB.`;
    return new OAuthError("invalid_request", "request_too_large", description, { description, status: 413 });
  }
  if (problem === "incomplete") {
    return new OAuthError("invalid_request", "body_unreadable", "The body ended early.", {
      description: "The body ended early.",
    });
  }
  const description = `The body took longer than ${BODY_SECONDS} seconds to arrive.`;
  // The rest of the body would still arrive, so the connection ends too.
  return new OAuthError("invalid_request", "body_late", description, {
    description,
    status: 408,
    headers: { Connection: "close" },
  });
}
