import { z } from "zod";
import { id } from "../fields.ts";

const optional = z.string().max(500).optional();

/** What an operator can set. `brandingProblems` has the rules. */
export const brandingSettings = z.strictObject({
  displayName: optional,
  colour: z.string().max(20).toLowerCase().optional(),
  termsUrl: optional,
  privacyUrl: optional,
  supportUrl: optional,
});

/** `logo`: a `data:` URL. */
export const brandingView = z.object({ settings: brandingSettings, logo: z.string().nullable(), version: z.int() });

/**
 * A file in base64 as its bytes, or null to remove what is there. Larger ones than a logo may be get that far, for a
 * clear error.
 */
const upload = z
  .base64()
  .max(400_000)
  .transform((text) => Buffer.from(text, "base64"))
  .nullable();

export const logoInput = z.strictObject({ applicationId: id, logo: upload });

/** The logo of the installation, with the version that it was read at. */
export const installationLogoInput = z.strictObject({ logo: upload, version: z.int().nonnegative() });

/** `logo`: a `data:` URL. */
export const installationLogoView = z.object({ logo: z.string().nullable(), version: z.int() });
