"use client";

import { SettingsFrame } from "@/features/settings/settings-frame.tsx";
import { ExportConfiguration } from "./export-configuration.tsx";
import { PlanConfiguration } from "./plan-configuration.tsx";

/** The configuration as a file: taken along, and planned and applied. CO-71, CO-72. */
export function ConfigurationPage() {
  return (
    <>
      <SettingsFrame
        section="configuration"
        description="Applications, APIs, webhook endpoints and sign-in providers as one JSON file: the one that the command line exports, plans and applies."
      />
      <ExportConfiguration />
      <PlanConfiguration />
    </>
  );
}
