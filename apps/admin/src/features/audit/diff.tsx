import { Stack, VisuallyHidden } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import type { AuditEntry } from "@/trpc/types.ts";
import { changesOf, type DiffLine } from "./changes.ts";
import styles from "./diff.module.css";
import { fieldWords } from "./words.ts";

const SIGNS = {
  removed: { mark: "−", word: "Before: " },
  added: { mark: "+", word: "After: " },
  same: { mark: " ", word: "Unchanged: " },
};

/** The fields that a row of the audit log changed: what went is marked with −, what came with +. CO-64. */
export function Diff({ entry }: { entry: AuditEntry }) {
  const fields = changesOf(entry.detail);
  if (fields.length === 0) return null;
  return (
    <Stack gap={8} data-testid="diff">
      {fields.map(({ field, lines }) => (
        <div key={field} className={styles["field"]}>
          <div className={styles["name"]}>{fieldWords(field)}</div>
          <ul className={styles["lines"]}>
            {lines.map((line) => (
              <Line key={`${line.sign} ${line.text}`} line={line} />
            ))}
            {lines.length === 0 && <li className={styles["line"]}>(none)</li>}
          </ul>
        </div>
      ))}
    </Stack>
  );
}

function Line({ line: { sign, text } }: { line: DiffLine }) {
  const { mark, word } = SIGNS[sign];
  return (
    <li className={styles["line"]} data-sign={sign}>
      <span aria-hidden="true">{mark}</span>
      <bdi>
        <VisuallyHidden>{word}</VisuallyHidden>
        {visibleText(text)}
      </bdi>
    </li>
  );
}
