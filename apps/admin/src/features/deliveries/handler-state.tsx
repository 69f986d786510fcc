import type { HandlerState as State } from "@/trpc/types.ts";
import styles from "./handler-state.module.css";

type Style = { label: string; text: string };

/** What became of an event after it was stored. */
export const HANDLER_STATES: Record<State, Style> = {
  stored: {
    label: "No handler",
    text: "Stored. No handler is defined for this type of event, and it is not forwarded.",
  },
  pending: { label: "Pending", text: "Stored. Its handlers have not run yet, or it has not been forwarded." },
  handled: {
    label: "Handled",
    text: "All of its handlers have run, and your product has accepted it if it is forwarded.",
  },
  failed: { label: "Retrying", text: "A handler or forwarding failed and will be tried again." },
  dead: { label: "Gave up", text: "A handler or forwarding failed too often. Fix the cause, then run it again." },
};

export const handlerStates = Object.keys(HANDLER_STATES) as State[];

/** A dot and a word; a dash for a delivery without an event. */
export function HandlerState({ state }: { state: State | null }) {
  if (state === null) return <span className={styles["none"]}>–</span>;
  const { label, text } = HANDLER_STATES[state];
  return (
    <span className={styles["state"]} data-state={state} title={text}>
      <span className={styles["dot"]} aria-hidden="true" />
      {label}
    </span>
  );
}
