import { OAuthError, readText } from "@gatehouse/auth";

/** Reads the fields of a form. Throws `OAuthError` for another media type, and for a body that is too large, too slow or incomplete. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new OAuthError("invalid_request", "content_type_unsupported", `form sent as ${type ?? "nothing"}`, {
      description: "Send the form as application/x-www-form-urlencoded.",
      status: 415,
    });
  }
  return new URLSearchParams(await readText(request));
}
