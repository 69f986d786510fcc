"use client";

import { SettingsForm } from "./settings-form.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

/** What the installation is called and where it is, and how long the console's sessions last. CO-67, CO-89. */
export function GeneralSettings() {
  return (
    <>
      <SettingsFrame section="general" description="Changes apply to every process within seconds. What the environment sets is locked." />
      <SettingsForm section="general" />
    </>
  );
}
