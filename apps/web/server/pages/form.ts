import { bodyRefusal, OAuthError, readText } from "@gatehouse/auth";
import { BodyError, readBytes } from "@gatehouse/net";

/** Reads the fields of a form. Throws `OAuthError` for another media type, and for a body that is too large, too slow or incomplete. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  requireType(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(await readText(request));
}

/** Enough for a picture that is a few times too large, so that its form can say so. */
const UPLOAD_LIMIT = 1024 * 1024;

/** The fields and the files of a form, by name. */
export type Upload = { form: URLSearchParams; files: ReadonlyMap<string, Uint8Array> };

/** Reads a form with files. Throws as {@link readForm} does, for a body of more than 1 MiB. */
export async function readUpload(request: Request): Promise<Upload> {
  requireType(request, "multipart/form-data");
  const contentType = request.headers.get("content-type") ?? "";
  const bytes = await readBytes(request, UPLOAD_LIMIT).catch((thrown: unknown) => {
    throw thrown instanceof BodyError ? bodyRefusal(thrown) : thrown;
  });
  const parts = await parse(bytes, contentType);
  const form = new URLSearchParams();
  const files = new Map<string, Uint8Array>();
  for (const [name, value] of parts) {
    if (typeof value === "string") form.append(name, value);
    else files.set(name, new Uint8Array(await value.arrayBuffer()));
  }
  return { form, files };
}

async function parse(bytes: Uint8Array, contentType: string): Promise<FormData> {
  const copy = new Request("http://form.invalid", {
    method: "POST",
    body: new Uint8Array(bytes),
    headers: { "content-type": contentType },
  });
  try {
    return await copy.formData();
  } catch {
    const description = "The form could not be read. Send it as multipart/form-data.";
    throw new OAuthError("invalid_request", "body_unreadable", description, { description });
  }
}

function requireType(request: Request, wanted: string): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === wanted) return;
  throw new OAuthError("invalid_request", "content_type_unsupported", `form sent as ${type ?? "nothing"}`, {
    description: `Send the form as ${wanted}.`,
    status: 415,
  });
}
