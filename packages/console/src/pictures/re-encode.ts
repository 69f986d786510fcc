import { type Picture, pictureTypeOf } from "@gatehouse/accounts";
import { loadSharp } from "./sharp.ts";

/** Which uploads are accepted, and the size of the result. */
export type PictureRules = {
  maxBytes: number;
  maxPixels: number;
  /** The result fits into this many pixels, and has at most this many bytes. */
  box: { width: number; height: number };
  maxEncodedBytes: number;
};

export type PictureProblem =
  | "too_large"
  | "too_many_pixels"
  /** Not PNG, JPEG or WebP. */
  | "other_file"
  | "damaged"
  /** Too many others wait to be encoded. */
  | "busy";

/** Tried in this order until the result is small enough. Noise of 65,536 pixels at the last one has 70 kB. */
const QUALITIES = [{ lossless: true }, { quality: 85, alphaQuality: 85 }, { quality: 60, alphaQuality: 60 }];

/**
 * Encodes an uploaded picture again: its first frame, upright, fitted into the box, as WebP without metadata. No byte
 * of the upload is kept, so what is served cannot be another kind of file as well, and does not say where a photograph
 * was taken. CO-68, RG-09.
 */
export async function reEncodePicture(
  bytes: Uint8Array,
  rules: PictureRules,
): Promise<Picture | { problem: PictureProblem }> {
  if (bytes.byteLength > rules.maxBytes) return { problem: "too_large" };
  return pictureTypeOf(bytes) === undefined ? { problem: "other_file" } : oneAtATime(() => encode(bytes, rules));
}

async function encode(
  bytes: Uint8Array,
  { maxPixels, box, maxEncodedBytes }: PictureRules,
): Promise<Picture | { problem: PictureProblem }> {
  const sharp = loadSharp();
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata(); // reads the header alone
    if (width * height > maxPixels) return { problem: "too_many_pixels" };
    const fitted = sharp(bytes, { limitInputPixels: maxPixels, pages: 1 })
      .autoOrient()
      .resize({ ...box, fit: "inside", withoutEnlargement: true });
    for (const quality of QUALITIES) {
      const encoded = await fitted.clone().webp(quality).toBuffer();
      if (encoded.byteLength <= maxEncodedBytes) return { type: "image/webp", bytes: encoded };
    }
  } catch {
    // libvips has no codes for its errors, and each of them is about the file.
  }
  return { problem: "damaged" };
}

/** Pictures that may wait at once. */
const MAX_WAITING = 20;
let waiting = 0;
let previous: Promise<unknown> = Promise.resolve();

/** Runs one task after another: a decoded picture has up to 48 MB. */
function oneAtATime<Result>(task: () => Promise<Result>): Promise<Result | { problem: "busy" }> {
  if (waiting >= MAX_WAITING) return Promise.resolve({ problem: "busy" });
  waiting++;
  const result = previous.then(task).finally(() => waiting--);
  previous = result.catch(() => undefined);
  return result;
}
