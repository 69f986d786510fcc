"use client";

import { Anchor, Button, CopyButton, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import Link from "next/link";
import { messageOf, requestIdOf } from "@/trpc/errors.ts";

/** WCAG 2.2.1: long enough to read; hover and focus pause it. */
export const TOAST_MS = 8_000;

/** Says what has changed, with a link to it. Announced to screen readers. CO-79. */
export function toastChanged(message: string, link?: { href: string; label: string }): void {
  notifications.show({
    color: "teal",
    role: "status",
    autoClose: TOAST_MS,
    message: (
      <Group gap="sm" justify="space-between">
        <span>{message}</span>
        {link && (
          <Anchor component={Link} href={link.href} size="sm">
            {link.label}
          </Anchor>
        )}
      </Group>
    ),
  });
}

/** Says why a change failed. Stays until it is dismissed, and can be copied with the id of the request. CO-79. */
export function toastFailed(error: unknown, title = "Change failed"): void {
  const message = messageOf(error);
  const requestId = requestIdOf(error);
  const copied = [`${title}: ${message}`, ...(requestId === undefined ? [] : [`Request ${requestId}`])].join("\n");
  notifications.show({
    color: "red",
    role: "alert",
    autoClose: false,
    title,
    message: (
      <>
        <div>{message}</div>
        <Group gap="sm" mt={4} justify="space-between">
          {requestId !== undefined && (
            <Text size="xs" c="dimmed">
              Request <code>{requestId}</code>
            </Text>
          )}
          <CopyButton value={copied}>
            {({ copied: done, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>
                <span aria-live="polite">{done ? "Copied" : "Copy"}</span>
              </Button>
            )}
          </CopyButton>
        </Group>
      </>
    ),
  });
}
