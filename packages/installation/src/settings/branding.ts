import { brandingProblems } from "@gatehouse/accounts";
import { branding } from "@gatehouse/product";
import { z } from "zod";
import { type SettingsTable, shapeOf } from "./setting.ts";

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

export type BrandSettings = {
  /** In the header and the title of every page, and in mails. */
  productName: string;
  brand: BrandDefaults;
};

/** A value by the rules of an application's branding. BD-01. */
const brandValue = (name: "colour" | "termsUrl" | "privacyUrl" | "supportUrl") =>
  z
    .string()
    .transform((value) => (name === "colour" ? value.toLowerCase() : value))
    .superRefine((value, context) => {
      for (const { message } of brandingProblems({ [name]: value })) context.addIssue({ code: "custom", message });
    });

const NAME = {
  title: "Name and colour",
  text: "On every page that users see, and in every mail. The icon of the browser’s tab is part of your build.",
};
const LINKS = { title: "Links", text: "At the foot of the pages." };
const LINK = { kind: "text", placeholder: "https://", maxLength: 500 } as const;

export const BRANDING = {
  GATEHOUSE_PRODUCT_NAME: {
    value: z.string().trim().min(1).max(60, "must have 60 characters or fewer").default(branding.name),
    docs: {
      default: "`Gatehouse`, or the name in `packages/product/src/branding.ts`",
      meaning: "the name in the header of every page, in titles and in mails",
      example: "Gatehouse",
    },
    console: {
      section: "branding",
      group: NAME,
      label: "Product name",
      about: "In the header and title of every page that users see, and in every mail.",
      input: { kind: "text", maxLength: 60 },
      changeable: true,
      show: ({ productName }) => productName,
    },
  },
  GATEHOUSE_BRAND_COLOUR: {
    value: brandValue("colour").optional(),
    docs: {
      default: "none: the indigo of `packages/ui`",
      meaning:
        "the colour of buttons and links on pages and in mails, like `#0f766e`. Each theme gets a shade of it that " +
        "is easy to read",
      example: "#4f46e5",
    },
    console: {
      section: "branding",
      group: NAME,
      label: "Colour",
      about: "For buttons and links of pages and mails. Each theme gets a shade of it that is easy to read.",
      input: { kind: "colour" },
      changeable: true,
      show: ({ brand }) => brand.colour ?? "",
    },
  },
  GATEHOUSE_TERMS_URL: {
    value: brandValue("termsUrl").optional(),
    docs: {
      default: "none",
      meaning: "the https link to your terms at the foot of the pages",
      example: "https://example.com/terms",
    },
    console: {
      section: "branding",
      group: LINKS,
      label: "Terms",
      about: "A link at the foot of every page that users see.",
      input: LINK,
      changeable: true,
      show: ({ brand }) => brand.termsUrl ?? "",
    },
  },
  GATEHOUSE_PRIVACY_URL: {
    value: brandValue("privacyUrl").optional(),
    docs: { default: "none", meaning: "the same for your privacy notice", example: "https://example.com/privacy" },
    console: {
      section: "branding",
      group: LINKS,
      label: "Privacy",
      about: "The same for your privacy notice.",
      input: LINK,
      changeable: true,
      show: ({ brand }) => brand.privacyUrl ?? "",
    },
  },
  GATEHOUSE_SUPPORT_URL: {
    value: brandValue("supportUrl").optional(),
    docs: { default: "none", meaning: "the same for where users find help", example: "https://example.com/help" },
    console: {
      section: "branding",
      group: LINKS,
      label: "Support",
      about: "The same for where users find help.",
      input: LINK,
      changeable: true,
      show: ({ brand }) => brand.supportUrl ?? "",
    },
  },
} as const satisfies SettingsTable<BrandSettings>;

export const brandVariables = shapeOf(BRANDING);

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
