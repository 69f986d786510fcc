"use client";

import { Alert, Text } from "@mantine/core";
import { CodePanel } from "@/components/code/code-panel.tsx";
import type { Delivery } from "@/trpc/types.ts";

/** The request body. */
export function PayloadTab({ delivery }: { delivery: Delivery }) {
  const { body, bodyEncoding, truncated } = delivery;
  return (
    <>
      {truncated && (
        <Alert variant="light" color="yellow" mb="sm">
          This payload is incomplete. Gatehouse keeps only the beginning of a rejected body.
        </Alert>
      )}
      {bodyEncoding === "base64" && (
        <Text size="sm" c="dimmed" mb="xs">
          The payload is not text. It is shown as base64.
        </Text>
      )}
      {body === "" ? <Text size="sm">The payload is empty.</Text> : <CodePanel what="payload" text={body} />}
    </>
  );
}
