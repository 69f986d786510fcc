import { type Picture, pictureTypeOf } from "@gatehouse/accounts";
import { loadSharp } from "./sharp.ts";

/** The largest file that is decoded: in base64 it fits into the 256 KiB that the console forwards. */
export const MAX_LOGO_UPLOAD_BYTES = 180 * 1024;
const MAX_PIXELS = 4_000_000;
const MAX_ENCODED_BYTES = 100_000;
/** Four times the size that pages show, for any screen. */
const BOX = { width: 512, height: 128 };
/** Tried in this order until the result is small enough. Noise at the last one has 70 kB. */
const QUALITIES = [{ lossless: true }, { quality: 85, alphaQuality: 85 }, { quality: 60, alphaQuality: 60 }];

const TOO_LARGE = { problem: "must be at most 180 KiB: export it smaller" };
const TOO_MANY_PIXELS = { problem: "must have at most 4 megapixels: export it smaller" };
const OTHER_FILE = { problem: "must be a PNG, JPEG or WebP picture" };
const DAMAGED = { problem: "can’t be read as a picture: export it again as PNG or WebP" };

/**
 * Encodes an uploaded picture again: its first frame, upright, fitted into 512 × 128 pixels, as WebP of at most 100 kB without metadata. No
 * byte of the upload is kept, so what is served cannot be another kind of file as well. Returns a problem, in words for the field, if the
 * upload is not a PNG, JPEG or WebP picture, or is too large. CO-68.
 */
export async function reEncodePicture(bytes: Uint8Array): Promise<Picture | { problem: string }> {
  if (bytes.byteLength > MAX_LOGO_UPLOAD_BYTES) return TOO_LARGE;
  return pictureTypeOf(bytes) === undefined ? OTHER_FILE : oneAtATime(() => encode(bytes));
}

async function encode(bytes: Uint8Array): Promise<Picture | { problem: string }> {
  const sharp = await loadSharp();
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata(); // reads the header alone
    if (width * height > MAX_PIXELS) return TOO_MANY_PIXELS;
    const fitted = sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 })
      .autoOrient()
      .resize({ ...BOX, fit: "inside", withoutEnlargement: true });
    for (const quality of QUALITIES) {
      const encoded = await fitted.clone().webp(quality).toBuffer();
      if (encoded.byteLength <= MAX_ENCODED_BYTES) return { type: "image/webp", bytes: encoded };
    }
  } catch {
    // libvips has no codes for its errors, and each of them is about the file.
  }
  return DAMAGED;
}

let previous: Promise<unknown> = Promise.resolve();

/** Runs one task after another: a decoded picture has up to 16 MB. */
function oneAtATime<Result>(task: () => Promise<Result>): Promise<Result> {
  const result = previous.then(task);
  previous = result.catch(() => undefined);
  return result;
}
