import { bodyRefusal, OAuthError, readText } from "@gatehouse/auth";
import { BodyError, readBytes } from "@gatehouse/runtime";
import { MultipartError, type Part, partsOf } from "./multipart.ts";

/**
 * Reads the fields of a form. Throws `OAuthError` for another media type, and for a body that is too large, too slow or
 * incomplete.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  requireType(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(await readText(request));
}

/** Enough for a picture that is a few times too large, so that its form can say so. */
const UPLOAD_LIMIT = 1024 * 1024;

/** The fields and the files of a form, by name. */
export type Upload = { form: URLSearchParams; files: ReadonlyMap<string, Uint8Array> };

/** Returns the error for a form that another site may have sent. */
type Check = (form: URLSearchParams) => OAuthError | undefined;
/** `forged`: the error of the check. Nothing else of the form was read then. */
export type CheckedUpload = Upload & { forged?: OAuthError | undefined };

/**
 * Reads a form with files, whose first field is the CSRF token: the rest is read only after `check` has accepted it.
 * Throws as {@link readForm} does, for a body of more than 1 MiB, and for more parts than our forms have.
 */
export async function readUpload(request: Request, check: Check): Promise<CheckedUpload> {
  requireType(request, "multipart/form-data");
  const bytes = await readBytes(request, UPLOAD_LIMIT).catch((thrown: unknown) => {
    throw thrown instanceof BodyError ? bodyRefusal(thrown) : thrown;
  });
  try {
    return readParts(partsOf(bytes, request.headers.get("content-type") ?? ""), check);
  } catch (thrown) {
    throw thrown instanceof MultipartError ? unreadable(thrown.message) : thrown;
  }
}

function readParts(parts: Iterable<Part>, check: Check): CheckedUpload {
  const form = new URLSearchParams();
  const files = new Map<string, Uint8Array>();
  let count = 0;
  for (const { name, isFile, bytes } of parts) {
    if (form.has(name) || files.has(name)) throw unreadable(`${name} was sent more than once`);
    if (isFile) files.set(name, bytes);
    else form.set(name, Buffer.from(bytes).toString("utf8"));
    const forged = count++ === 0 ? check(form) : undefined;
    if (forged) return { form, files: new Map(), forged };
  }
  return count > 0 ? { form, files } : { form, files, forged: check(form) };
}

function unreadable(why: string): OAuthError {
  const description = "The form could not be read. Send it as multipart/form-data.";
  return new OAuthError("invalid_request", "body_unreadable", `form: ${why}`, { description });
}

function requireType(request: Request, wanted: string): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === wanted) return;
  throw new OAuthError("invalid_request", "content_type_unsupported", `form sent as ${type ?? "nothing"}`, {
    description: `Send the form as ${wanted}.`,
    status: 415,
  });
}
