import type { KeyView } from "@/trpc/types.ts";
import styles from "./keys.module.css";
import { type Span, timelineOf } from "./timeline.ts";

const PARTS: Record<Span["part"], string> = {
  published: "Published, not signing yet",
  signs: "Signs",
  retired: "Verifies what it signed",
};

/** The keys' lives as bars, with a line at now. The table has the same times as text. CO-60. */
export function KeyTimeline({ keys, now }: { keys: readonly KeyView[]; now: number }) {
  const timeline = timelineOf(keys, now);
  return (
    <div aria-hidden="true" className={styles["timeline"]}>
      <div className={styles["bars"]}>
        {timeline.rows.map(({ kid, spans }) => (
          <div key={kid} className={styles["bar"]}>
            {spans.map(({ part, start, width }) => (
              <span key={part} data-part={part} title={PARTS[part]} style={{ left: `${start}%`, width: `${width}%` }} />
            ))}
          </div>
        ))}
        <span className={styles["now"]} style={{ left: `${timeline.now}%` }}>
          <span>now</span>
        </span>
      </div>
    </div>
  );
}

/** What the bars' patterns mean, once for the page. */
export function TimelineLegend() {
  return (
    <div aria-hidden="true" className={styles["legend"]}>
      {(Object.keys(PARTS) as Span["part"][]).map((part) => (
        <span key={part}>
          <i data-part={part} />
          {PARTS[part]}
        </span>
      ))}
    </div>
  );
}
