import type { Picture } from "@gatehouse/accounts";
import { invalid } from "../domain-error.ts";
import { type PictureProblem, type PictureRules, reEncodePicture } from "./re-encode.ts";

/**
 * In base64, the largest file fits into the 256 KiB that the console forwards. The box is four times what pages show,
 * for any screen.
 */
export const LOGO_RULES: PictureRules = {
  maxBytes: 180 * 1024,
  maxPixels: 4_000_000,
  box: { width: 512, height: 128 },
  maxEncodedBytes: 100_000,
};

/** In words for the field. */
export const LOGO_PROBLEMS: Record<PictureProblem, string> = {
  too_large: "must be at most 180 KiB: export it smaller",
  too_many_pixels: "must have at most 4 megapixels: export it smaller",
  other_file: "must be a PNG, JPEG or WebP picture",
  damaged: "can’t be read as a picture: export it again as PNG or WebP",
  busy: "can’t be read now, because many pictures are: try again in a minute",
};

type Logo = { type: string; bytes: Uint8Array };

/** The logo to store for an upload. Throws `invalid` with the field `logo`. CO-68. */
export async function logoFrom(upload: Uint8Array): Promise<Picture> {
  const logo = await reEncodePicture(upload, LOGO_RULES);
  if ("problem" in logo) throw invalid([{ path: "logo", message: LOGO_PROBLEMS[logo.problem] }]);
  return logo;
}

/** A logo in words, for the audit log; null without one. */
export const describeLogo = (logo: Logo | null | undefined): string | null =>
  logo ? `${logo.type}, ${logo.bytes.length} bytes` : null;

/** A logo for the console, which loads no pictures from other origins. */
export const asDataUrl = ({ type, bytes }: Logo): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
