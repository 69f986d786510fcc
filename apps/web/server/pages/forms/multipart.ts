/** One part of a form with files. `isFile`: it has a file name, which is not read. RFC 7578 §4.2. */
export type Part = { name: string; isFile: boolean; bytes: Uint8Array };

/** Thrown for a body that is not multipart/form-data, or beyond the limits. */
export class MultipartError extends Error {
  override readonly name = "MultipartError";
}

/**
 * More than our forms have. A reader without a limit would make objects for a hundred thousand empty parts of one
 * mebibyte.
 */
const MAX_PARTS = 10;
const MAX_HEAD_BYTES = 1024;

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const DISPOSITION = /^content-disposition:[ \t]*form-data;[ \t]*name="([^"\r\n]{1,100})"(;[ \t]*filename)?/im;

/**
 * Reads the parts one after the other: a caller that stops has paid for those it took. Throws {@link MultipartError}.
 * RFC 2046 §5.1.1.
 */
export function* partsOf(body: Uint8Array, contentType: string): Generator<Part> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new MultipartError("no boundary");
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");

  if (!isAt(bytes, 0, `--${boundary}`)) throw new MultipartError("it does not start with the boundary");
  let at = delimiter.length - 2;
  for (let count = 0; !isAt(bytes, at, "--"); count++) {
    if (count === MAX_PARTS) throw new MultipartError(`more than ${MAX_PARTS} parts`);
    if (!isAt(bytes, at, "\r\n")) throw new MultipartError("no line break after a boundary");
    const headLength = bytes.subarray(at, at + MAX_HEAD_BYTES).indexOf("\r\n\r\n");
    const [, name, file] =
      DISPOSITION.exec(headLength === -1 ? "" : bytes.toString("utf8", at + 2, at + headLength)) ?? [];
    const start = at + headLength + 4;
    const end = bytes.indexOf(delimiter, start);
    if (name === undefined || end === -1) throw new MultipartError("a part without a name or an end");
    yield { name, isFile: file !== undefined, bytes: bytes.subarray(start, end) };
    at = end + delimiter.length;
  }
}

const isAt = (bytes: Buffer, at: number, text: string) => bytes.toString("latin1", at, at + text.length) === text;
