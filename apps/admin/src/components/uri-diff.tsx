import type { UriComparison } from "@/trpc/types.ts";
import { visibleText } from "./code/visible-text.ts";
import styles from "./uri-diff.module.css";

type Props = { sent: string; comparison: UriComparison };

/**
 * A sent redirect URI above the nearest registered one, character by character, with the first difference marked.
 * CO-26, CO-50.
 */
export function UriDiff({ sent, comparison: { matched, nearest, differsAt } }: Props) {
  const other = matched ?? nearest;
  return (
    <div className={styles["frame"]} data-testid="diff">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can scroll, so keyboard users must be able to focus it */}
      <section className={styles["scroll"]} aria-label="The URIs, aligned" tabIndex={0}>
        <Line
          label="sent"
          text={sent}
          differsAt={matched === null && nearest !== null ? differsAt : undefined}
          sign="-"
        />
        <Line
          label="registered"
          text={other ?? "no redirect URI"}
          differsAt={matched === null && nearest !== null ? differsAt : undefined}
          sign="+"
        />
        {matched === null && nearest !== null && (
          <div className={styles["mark"]}>
            <span className={styles["label"]} />
            <span>
              {" ".repeat(differsAt)}▲ character {differsAt + 1}
            </span>
          </div>
        )}
      </section>
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
  const rest = differsAt === undefined ? "" : text.slice(differsAt);
  return (
    <div className={styles["line"]}>
      <span className={styles["label"]}>{label}</span>
      <bdi>
        {visibleText(same)}
        {rest !== "" && <mark data-sign={sign}>{visibleText(rest)}</mark>}
      </bdi>
    </div>
  );
}
