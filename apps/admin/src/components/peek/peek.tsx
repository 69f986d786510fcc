"use client";

import { ActionIcon, Anchor, Group, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconExternalLink, IconX } from "@tabler/icons-react";
import clsx from "clsx";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import styles from "./peek.module.css";
import { ROOM_FOR_PEEK } from "./use-peek.ts";

type Props = {
  id: string;
  /** What the panel shows, such as "delivery". */
  noun: string;
  /** The row's own page; undefined while it has none. */
  href: string | undefined;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  close: () => void;
  children: ReactNode;
};

/** One row beside its list. A window too narrow for both shows the row's page instead. */
export function Peek({ id, noun, href, previous, next, close, children }: Props) {
  usePageWhereNarrow(href);

  return (
    <aside className={styles["panel"]} aria-label={noun.charAt(0).toUpperCase() + noun.slice(1)}>
      <Group className={styles["bar"]} justify="space-between" wrap="nowrap">
        <Group gap={2} wrap="nowrap">
          <BarButton label={`Previous ${noun} (K)`} onClick={previous}>
            <IconArrowUp size={16} aria-hidden="true" />
          </BarButton>
          <BarButton label={`Next ${noun} (J)`} onClick={next}>
            <IconArrowDown size={16} aria-hidden="true" />
          </BarButton>
        </Group>
        <Group gap="sm" wrap="nowrap">
          {href !== undefined && (
            <Anchor component={Link} href={href} size="sm" className={styles["page"]}>
              <IconExternalLink size={15} aria-hidden="true" /> Open page
            </Anchor>
          )}
          <BarButton label="Close (Escape)" onClick={close}>
            <IconX size={16} aria-hidden="true" />
          </BarButton>
        </Group>
      </Group>
      <div key={id} className={styles["content"]}>
        {children}
      </div>
    </aside>
  );
}

type RoomProps = {
  peeking: boolean;
  /** As wide as the window, for tables of many columns. */
  wide?: boolean;
  children: ReactNode;
};

/** A list with its panel, which it makes room for. */
export function PeekRoom({ peeking, wide = false, children }: RoomProps) {
  return (
    <div className={clsx(styles["room"], wide && "page-wide")} data-peeking={peeking}>
      {children}
    </div>
  );
}

/** Shows the row's page instead where there is no room for the panel. */
function usePageWhereNarrow(href: string | undefined): void {
  const router = useRouter();
  useEffect(() => {
    const room = window.matchMedia(ROOM_FOR_PEEK);
    const check = () => {
      if (!room.matches && href !== undefined) router.replace(href);
    };
    check();
    room.addEventListener("change", check);
    return () => room.removeEventListener("change", check);
  }, [href, router]);
}

function BarButton({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={onClick === undefined} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
