import type { FailureGroupFilter } from "@gatehouse/console/lists/lists";
import type { Tone } from "@/components/status-dot.tsx";
import type { FailureGroup } from "@/trpc/types.ts";

/** What each state is called, and how loud it is. */
export const STATES: Record<FailureGroup["state"], { label: string; tone: Tone }> = {
  open: { label: "Open", tone: "open" },
  regressed: { label: "Regressed", tone: "bad" },
  muted: { label: "Muted", tone: "past" },
  resolved: { label: "Resolved", tone: "past" },
};

/** The default view leaves out what is muted or resolved. */
export function openOnly(filter: FailureGroupFilter): FailureGroupFilter {
  return { ...filter, state: filter.state ?? "open" };
}
