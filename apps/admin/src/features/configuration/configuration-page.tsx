"use client";

import { SettingsFrame } from "@/features/settings/settings-frame.tsx";
import { DriftSection } from "./drift.tsx";
import { ExportConfiguration } from "./export-configuration.tsx";
import { PlanConfiguration } from "./plan-configuration.tsx";

/**
 * The configuration as a file: taken along, and planned and applied, and what differs from it since. CO-71, CO-72,
 * CO-73.
 */
export function ConfigurationPage() {
  return (
    <>
      <SettingsFrame
        section="configuration"
        description="Applications, APIs, webhook endpoints and sign-in providers as one JSON file: the one that the command line exports, plans and applies."
      />
      <DriftSection />
      <ExportConfiguration />
      <PlanConfiguration />
    </>
  );
}
