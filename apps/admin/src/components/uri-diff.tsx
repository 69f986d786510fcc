import type { UriComparison } from "@/trpc/types.ts";
import { visibleText } from "./code/visible-text.ts";
import styles from "./uri-diff.module.css";

type Props = { sent: string; comparison: UriComparison };

/**
 * A sent redirect URI above the nearest registered one. Both wrap at the same characters, so the first difference is in
 * view on a phone too; it has a frame, and what follows a background. CO-26, CO-50, CO-86.
 */
export function UriDiff({ sent, comparison: { matched, nearest, differsAt } }: Props) {
  const other = matched ?? nearest;
  const from = matched === null && nearest !== null ? differsAt : undefined;
  return (
    <div className={styles["frame"]} data-testid="diff">
      <Line label="sent" text={sent} differsAt={from} sign="-" />
      <Line label="registered" text={other ?? "no redirect URI"} differsAt={from} sign="+" />
      {from !== undefined && (
        <div className={styles["line"]}>
          <span />
          <span className={styles["note"]}>They differ from character {from + 1} on.</span>
        </div>
      )}
    </div>
  );
}

function Line({
  label,
  text,
  differsAt,
  sign,
}: {
  label: string;
  text: string;
  differsAt: number | undefined;
  sign: "-" | "+";
}) {
  const same = differsAt === undefined ? text : text.slice(0, differsAt);
  const [first = "", ...rest] = differsAt === undefined ? [] : text.slice(differsAt);
  return (
    <div className={styles["line"]}>
      <span className={styles["label"]}>{label}</span>
      <bdi className={styles["uri"]}>
        {visibleText(same)}
        {differsAt !== undefined && (
          <mark data-sign={sign}>
            {/* Empty where the URI ends. */}
            <span className={styles["first"]}>{visibleText(first)}</span>
            {visibleText(rest.join(""))}
          </mark>
        )}
      </bdi>
    </div>
  );
}
