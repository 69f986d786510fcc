"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { BrandingPreview } from "@/features/branding/branding-preview.tsx";
import { useLogoDraft } from "@/features/branding/logo-draft.ts";
import { LogoField } from "@/features/branding/logo-field.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { conflictOf } from "@/trpc/errors.ts";
import styles from "./settings.module.css";
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
  const { logo, version, saving, save } = useInstallationLogo();
  return (
    <>
      <SettingsFrame
        section="branding"
        description="What users see when they sign in and manage their account. An application can have a branding of its own, on its page."
      />
      <SettingsForm
        section="branding"
        also={{ label: "Logo", dirty: logo.dirty, saving, save, discard: logo.discard }}
        preview={(values) => <BrandingPreview applicationId={null} settings={settingsOf(values)} version={version} />}
      >
        <section className={styles["section"]} data-stacked aria-label="Logo">
          <div>
            <h2>Logo</h2>
            <p>In the header of every page, except for applications that have one of their own. Mails have no logo.</p>
          </div>
          <div className={styles["rows"]}>
            <LogoField logo={logo} />
          </div>
        </section>
      </SettingsForm>
    </>
  );
}

/** The logo as it is saved and chosen. `save` returns false if it failed, which the field explains. */
function useInstallationLogo() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data } = useSuspenseQuery(trpc.settings.logo.queryOptions());
  const logo = useLogoDraft(data.logo);
  const upload = useMutation(
    trpc.settings.setLogo.mutationOptions({
      meta: { errorShownInForm: true },
      onSuccess(now) {
        queries.setQueryData(trpc.settings.logo.queryKey(), now);
        logo.discard();
      },
      onError(error) {
        logo.fail(error);
        // After a conflict, shows the other admin's logo beside the new one.
        if (conflictOf(error)) void queries.invalidateQueries(trpc.settings.logo.queryFilter());
      },
    }),
  );
  const save = () =>
    upload.mutateAsync({ logo: logo.sent, version: data.version }).then(
      () => true,
      () => false,
    );
  return { logo, version: data.version, saving: upload.isPending, save };
}

function settingsOf(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SETTING_OF).flatMap(([variable, setting]) => {
      const value = values[variable]?.trim();
      return value ? [[setting, value]] : [];
    }),
  );
}
