import { OAuthError } from "../errors/error.ts";
import { readText } from "./body.ts";

const CONTENT_TYPE = /^application\/json\s*(;|$)/i;

/** Reads the body of a request as a JSON object. Throws `invalid_client_metadata` for anything else, and as `readText` does. RFC 7591 §3.1. */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  const invalid = (cause: "content_type_unsupported" | "body_unreadable", description: string) =>
    new OAuthError("invalid_client_metadata", cause, description, { description });
  if (!CONTENT_TYPE.test(request.headers.get("content-type") ?? ""))
    throw invalid("content_type_unsupported", "Send the body as application/json.");
  const text = await readText(request);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("body_unreadable", "The body is not a JSON object.");
  return { ...value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
