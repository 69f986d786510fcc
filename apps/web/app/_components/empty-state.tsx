import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

/** Instead of an empty list: what will be here, and what to do for it. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles["empty"]}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 13h4l2 3h4l2-3h4M4 13v6h16v-6M4 13l3-8h10l3 8" />
      </svg>
      <h2>{title}</h2>
      <div className="small muted">{children}</div>
    </div>
  );
}
