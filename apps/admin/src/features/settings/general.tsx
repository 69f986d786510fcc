"use client";

import { HistorySection } from "@/features/audit/history-section.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

/** What the audit log calls all settings. */
const SETTINGS_OBJECT = "settings";

/**
 * What the installation is called and where it is, how long the console's sessions last, and who changed settings.
 * CO-66, CO-67, CO-89.
 */
export function GeneralSettings() {
  return (
    <>
      <SettingsFrame
        section="general"
        description="Changes apply to every process within seconds. What the environment sets is locked."
      />
      <SettingsForm section="general" />
      <HistorySection object={SETTINGS_OBJECT} />
    </>
  );
}
