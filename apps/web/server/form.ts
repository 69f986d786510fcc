import { OAuthError } from "@gatehouse/auth";

/** Larger than any of our forms: a sealed pending request may carry a `state` of some thousand characters. */
const MAX_FORM_BYTES = 64 * 1024;

/** The fields of a posted form. Throws `OAuthError` for another media type or a body that is too large. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new OAuthError("invalid_request", "content_type_unsupported", `form sent as ${type ?? "nothing"}`, {
      description: "Send the form as application/x-www-form-urlencoded.",
      status: 415,
    });
  }
  return new URLSearchParams(await readText(request.body).catch(endedEarly));
}

async function readText(body: Request["body"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_FORM_BYTES) {
      throw new OAuthError("invalid_request", "request_too_large", "form too large", {
        description: "The form is too large.",
        status: 413,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A sender that hangs up is no failure of ours. */
function endedEarly(cause: unknown): never {
  if (cause instanceof OAuthError) throw cause;
  throw new OAuthError("invalid_request", "body_unreadable", "the form ended early", { description: "The form arrived incomplete." });
}
