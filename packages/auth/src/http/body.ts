import { BODY_SECONDS, BodyError, readText as readBody } from "@gatehouse/runtime";
import { OAuthError } from "../errors/error.ts";

/** Far more than the parameters of any endpoint need, in bytes. */
const BODY_LIMIT = 64 * 1024;

/**
 * Reads the body of a request as text. Throws `invalid_request`: 413 for more than `limit` bytes, 408 when it takes longer than
 * {@link BODY_SECONDS}, 400 when the sender hangs up.
 */
export async function readText(request: Request, limit = BODY_LIMIT): Promise<string> {
  try {
    return await readBody(request, limit);
  } catch (thrown) {
    throw thrown instanceof BodyError ? bodyRefusal(thrown) : thrown;
  }
}

/** The error that tells a sender what is wrong with its body. RFC 9110 §15.5.9, §15.5.14. */
export function bodyRefusal({ problem, maxBytes }: BodyError): OAuthError {
  if (problem === "too_large") {
    const description = `The body is larger than ${maxBytes / 1024} KiB.`;
    return new OAuthError("invalid_request", "request_too_large", description, { description, status: 413 });
  }
  if (problem === "incomplete") {
    return new OAuthError("invalid_request", "body_unreadable", "The body ended early.", { description: "The body ended early." });
  }
  const description = `The body took longer than ${BODY_SECONDS} seconds to arrive.`;
  // The rest of the body would still arrive, so the connection ends too.
  return new OAuthError("invalid_request", "body_late", description, { description, status: 408, headers: { Connection: "close" } });
}
