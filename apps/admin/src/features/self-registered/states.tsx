import { StatusDot, type Tone } from "@/components/status-dot.tsx";
import type { SelfRegisteredClient } from "@/trpc/types.ts";

type State = SelfRegisteredClient["state"];

export const STATES: Record<State, { label: string; tone: Tone }> = {
  waiting: { label: "Waiting", tone: "open" },
  active: { label: "Active", tone: "good" },
  blocked: { label: "Blocked", tone: "bad" },
};

export function SelfRegisteredState({ state }: { state: State }) {
  return <StatusDot tone={STATES[state].tone}>{STATES[state].label}</StatusDot>;
}

export const usersText = ({ users, moreUsers }: Pick<SelfRegisteredClient, "users" | "moreUsers">) =>
  `${users.toLocaleString("en")}${moreUsers ? "+" : ""}`;

export const selfRegisteredHref = (clientId: string) => `/self-registered/${encodeURIComponent(clientId)}`;
