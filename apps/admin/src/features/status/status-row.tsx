import { Anchor } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle } from "@tabler/icons-react";
import Link from "next/link";
import { CopyValue } from "@/components/copy-value.tsx";
import type { StatusItem } from "@/trpc/types.ts";
import { PAGES, runbookOf } from "./next-steps.ts";
import styles from "./status.module.css";

type Level = StatusItem["level"];

const LEVELS = {
  ok: { word: "Fine", Icon: IconCircleCheck },
  warning: { word: "Warning", Icon: IconAlertTriangle },
  failed: { word: "Failed", Icon: IconExclamationCircle },
} as const;

/** Decorative: words beside it say the same. */
export function LevelIcon({ level, size = 16 }: { level: Level; size?: number }) {
  const { Icon } = LEVELS[level];
  return <Icon size={size} stroke={1.75} aria-hidden="true" className={styles["icon"]} data-level={level} />;
}

/** One item: its state, what it is, what was seen, and what to do if it is not well. */
export function StatusRow({ item }: { item: StatusItem }) {
  const { title, level, sentence } = item;
  return (
    <li className={styles["item"]} data-level={level}>
      <span className={styles["level"]}>
        <LevelIcon level={level} />
        {LEVELS[level].word}
      </span>
      <span className={styles["title"]}>{title}</span>
      <div className={styles["seen"]}>
        {sentence}
        {level !== "ok" && <NextStep item={item} />}
      </div>
    </li>
  );
}

function NextStep({ item }: { item: StatusItem }) {
  const page = PAGES[item.name];
  const runbook = runbookOf(item);
  return (
    <div className={styles["next"]}>
      {page && (
        <Anchor component={Link} href={page.href} prefetch={false} className={styles["page"] ?? ""}>
          {page.label}
        </Anchor>
      )}
      {runbook !== undefined && (
        <>
          <span>What to do:</span>
          <CopyValue value={runbook} what="place in the docs" />
        </>
      )}
    </div>
  );
}
