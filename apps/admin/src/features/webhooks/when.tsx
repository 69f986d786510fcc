"use client";

import { Timestamp } from "@/components/timestamp.tsx";

/** A time, or what to say if there is none. */
export function When({ at, otherwise }: { at: number | null; otherwise: string }) {
  return at === null ? (
    <span style={{ color: "var(--mantine-color-dimmed)" }}>{otherwise}</span>
  ) : (
    <Timestamp at={at} brief />
  );
}
