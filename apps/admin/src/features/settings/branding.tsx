"use client";

import { BrandingPreview } from "@/features/branding/branding-preview.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

/** Which variable is which setting of an application's branding. */
const SETTING_OF = {
  GATEHOUSE_PRODUCT_NAME: "displayName",
  GATEHOUSE_BRAND_COLOUR: "colour",
  GATEHOUSE_TERMS_URL: "termsUrl",
  GATEHOUSE_PRIVACY_URL: "privacyUrl",
  GATEHOUSE_SUPPORT_URL: "supportUrl",
} as const;

/** How the installation looks, and every application without a branding of its own. CO-68. */
export function BrandingSettings() {
  return (
    <>
      <SettingsFrame
        section="branding"
        description="What users see when they sign in and manage their account. An application can have a branding of its own, on its page."
      />
      <SettingsForm
        section="branding"
        preview={(values) => <BrandingPreview applicationId={null} settings={settingsOf(values)} version={0} />}
      />
    </>
  );
}

function settingsOf(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SETTING_OF).flatMap(([variable, setting]) => {
      const value = values[variable]?.trim();
      return value ? [[setting, value]] : [];
    }),
  );
}
