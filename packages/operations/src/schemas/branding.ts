import { z } from "zod";
import { id } from "./fields.ts";

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

/** `logo`: the file in base64, or null to remove it. */
export const logoInput = z.object({ applicationId: id, logo: z.base64().max(400_000).nullable() });
