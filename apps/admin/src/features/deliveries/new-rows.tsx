"use client";

import { Button } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { IconArrowUp } from "@tabler/icons-react";
import styles from "./delivery-list.module.css";

/** The height of the console's header, which covers the top of the window. */
const HEADER_PX = 56;

/** "12 new": live rows that wait because the reader is further down or has selected rows. */
export function NewRows({ count, more, show }: { count: number; more: boolean; show: () => void }) {
  return (
    <div className={styles["waiting"]} role="status">
      {count > 0 && (
        <Button size="compact-sm" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden="true" />} onClick={show}>
          {count}
          {more && "+"} new
        </Button>
      )}
    </div>
  );
}

/** Whether the reader sees the top of the list. `sentinel` goes just above its first row. */
export function useAtTop() {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: `-${HEADER_PX}px 0px 0px 0px` });
  return {
    sentinel: ref,
    atTop: entry === null || entry.isIntersecting || entry.boundingClientRect.top > HEADER_PX,
    scrollToTop: () => entry?.target.scrollIntoView({ block: "center" }),
  };
}
