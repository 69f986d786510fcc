import type { PictureRules } from "./re-encode.ts";

/**
 * Room for a photograph of a phone, scaled down once; the box is for the largest size that pages show, on any screen.
 * RG-09.
 */
export const USER_PICTURE_RULES: PictureRules = {
  maxBytes: 256 * 1024,
  maxPixels: 12_000_000,
  box: { width: 256, height: 256 },
  maxEncodedBytes: 100_000,
};
