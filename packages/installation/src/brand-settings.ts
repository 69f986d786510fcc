import { brandingProblems } from "@gatehouse/accounts";
import { z } from "zod";

/** A value by the rules of an application's branding. BD-01. */
const brandValue = (name: "colour" | "termsUrl" | "privacyUrl" | "supportUrl") =>
  z
    .string()
    .transform((value) => (name === "colour" ? value.toLowerCase() : value))
    .superRefine((value, context) => {
      for (const { message } of brandingProblems({ [name]: value })) context.addIssue({ code: "custom", message });
    });

/** The variables of how the installation looks. CO-68. */
export const brandVariables = {
  GATEHOUSE_BRAND_COLOUR: brandValue("colour").optional(),
  GATEHOUSE_TERMS_URL: brandValue("termsUrl").optional(),
  GATEHOUSE_PRIVACY_URL: brandValue("privacyUrl").optional(),
  GATEHOUSE_SUPPORT_URL: brandValue("supportUrl").optional(),
};

/** How the pages of the installation look, and those of applications without a branding of their own. CO-68. */
export type BrandDefaults = {
  /** `#rrggbb`. */
  colour: string | undefined;
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
  supportUrl: string | undefined;
  /** Of the uploaded logo, which no variable sets. The version names what browsers cached. */
  hasLogo: boolean;
  version: number;
};

export function brandDefaults(given: z.output<z.ZodObject<typeof brandVariables>>): BrandDefaults {
  return {
    colour: given.GATEHOUSE_BRAND_COLOUR,
    termsUrl: given.GATEHOUSE_TERMS_URL,
    privacyUrl: given.GATEHOUSE_PRIVACY_URL,
    supportUrl: given.GATEHOUSE_SUPPORT_URL,
    hasLogo: false,
    version: 0,
  };
}
