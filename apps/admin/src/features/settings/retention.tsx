"use client";

import type { SettingView } from "@/trpc/types.ts";
import { OlderNote } from "./older-note.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const LOGS: Readonly<Record<string, "audit" | "deliveries" | "sign_ins">> = {
  GATEHOUSE_AUDIT_DAYS: "audit",
  GATEHOUSE_SIGN_IN_DAYS: "sign_ins",
  GATEHOUSE_DELIVERY_DAYS: "deliveries",
};

/** How long what is stored stays. CO-69. */
export function RetentionSettings() {
  return (
    <>
      <SettingsFrame
        section="retention"
        description="How long logs and webhook bodies are kept. What is deleted can’t be restored."
      />
      <SettingsForm section="retention" noteOf={noteOf} />
    </>
  );
}

function noteOf({ variable, value: inForce }: SettingView, value: string) {
  const log = LOGS[variable];
  const days = Number(value);
  return log && Number.isInteger(days) && days >= 1 && days < Number(inForce) ? (
    <OlderNote log={log} days={days} />
  ) : null;
}
