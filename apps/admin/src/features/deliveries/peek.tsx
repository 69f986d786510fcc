"use client";

import { ActionIcon, Anchor, Group, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconExternalLink, IconX } from "@tabler/icons-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { ROOM_FOR_PEEK } from "./open-delivery.ts";
import styles from "./peek.module.css";

type Props = { id: string; previous: (() => void) | undefined; next: (() => void) | undefined; close: () => void };

/** A delivery beside the list. A window too narrow for both shows its page instead. */
export function Peek({ id, previous, next, close }: Props) {
  usePageWhereNarrow(id);

  return (
    <aside className={styles["panel"]} aria-label="Delivery">
      <Group className={styles["bar"]} justify="space-between" wrap="nowrap">
        <Group gap={2} wrap="nowrap">
          <BarButton label="Previous delivery (K)" onClick={previous}>
            <IconArrowUp size={16} aria-hidden="true" />
          </BarButton>
          <BarButton label="Next delivery (J)" onClick={next}>
            <IconArrowDown size={16} aria-hidden="true" />
          </BarButton>
        </Group>
        <Group gap="sm" wrap="nowrap">
          <Anchor component={Link} href={`/deliveries/${id}`} size="sm" className={styles["page"]}>
            <IconExternalLink size={15} aria-hidden="true" /> Open page
          </Anchor>
          <BarButton label="Close (Escape)" onClick={close}>
            <IconX size={16} aria-hidden="true" />
          </BarButton>
        </Group>
      </Group>
      <div key={id} className={styles["content"]}>
        <DeliveryDetail id={id} place="peek" />
      </div>
    </aside>
  );
}

/** Shows the delivery's page instead where there is no room for the panel. */
function usePageWhereNarrow(id: string): void {
  const router = useRouter();
  useEffect(() => {
    const room = window.matchMedia(ROOM_FOR_PEEK);
    const check = () => {
      if (!room.matches) router.replace(`/deliveries/${id}`);
    };
    check();
    room.addEventListener("change", check);
    return () => room.removeEventListener("change", check);
  }, [id, router]);
}

function BarButton({ label, onClick, children }: { label: string; onClick: (() => void) | undefined; children: ReactNode }) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={onClick === undefined} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
