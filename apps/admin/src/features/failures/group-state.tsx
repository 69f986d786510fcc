import { StatusDot } from "@/components/status-dot.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { Failure } from "@/trpc/types.ts";
import { STATES } from "./states.ts";

/** The state of a group, and until when it is muted. */
export function GroupState({ group }: { group: NonNullable<Failure["group"]> }) {
  const { label, tone } = STATES[group.state];
  return (
    <span>
      <StatusDot tone={tone}>{label}</StatusDot>
      {group.state === "muted" && group.mutedUntil !== null && (
        <>
          {" "}
          until <Timestamp at={group.mutedUntil} />
        </>
      )}
    </span>
  );
}
