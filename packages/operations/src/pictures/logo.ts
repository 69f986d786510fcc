import type { Picture } from "@gatehouse/accounts";
import { invalid } from "../domain-error.ts";
import { reEncodePicture } from "./re-encode.ts";

type Logo = { type: string; bytes: Uint8Array };

/** The logo to store for an upload. Throws `invalid` with the field `logo`. CO-68. */
export async function logoFrom(upload: Uint8Array): Promise<Picture> {
  const logo = await reEncodePicture(upload);
  if ("problem" in logo) throw invalid([{ path: "logo", message: logo.problem }]);
  return logo;
}

/** A logo in words, for the audit log; null without one. */
export const describeLogo = (logo: Logo | null | undefined): string | null => (logo ? `${logo.type}, ${logo.bytes.length} bytes` : null);

/** A logo for the console, which loads no pictures from other origins. */
export const asDataUrl = ({ type, bytes }: Logo): string => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
