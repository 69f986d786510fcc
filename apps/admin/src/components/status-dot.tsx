import styles from "./status-dot.module.css";

/** `soon`: somebody has to act soon. `open`: waits for somebody else. `past`: over. */
export type Tone = "good" | "soon" | "bad" | "open" | "past";

/** A state as a dot and a word. */
export function StatusDot({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles["status"]} data-tone={tone}>
      {children}
    </span>
  );
}
