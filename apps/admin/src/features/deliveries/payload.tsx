"use client";

import { Alert, Button, CopyButton, Group, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Delivery } from "@/trpc/types.ts";
import { prettyJson } from "./pretty-json.ts";

/** The request body, as received or, for JSON, formatted. */
export function Payload({ delivery }: { delivery: Delivery }) {
  const { body, bodyEncoding, truncated } = delivery;
  const pretty = bodyEncoding === "utf8" ? prettyJson(body) : undefined;
  const [view, setView] = useState("formatted");
  const shown = pretty !== undefined && view === "formatted" ? pretty : body;
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          Payload
        </Title>
        <Group gap="xs">
          {pretty !== undefined && (
            <SegmentedControl
              size="xs"
              aria-label="Payload format"
              value={view}
              onChange={setView}
              data={[
                { value: "formatted", label: "Formatted" },
                { value: "raw", label: "Raw" },
              ]}
            />
          )}
          <CopyButton value={body}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? "Copied" : "Copy payload"}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Group>
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
      {body === "" ? (
        <Text size="sm">The payload is empty.</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboard users must be able to focus it
        <pre className="payload" tabIndex={0}>
          {shown}
        </pre>
      )}
    </Paper>
  );
}
