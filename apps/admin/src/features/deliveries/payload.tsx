"use client";

import { Alert, Button, CopyButton, Group, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Delivery } from "@/trpc/types.ts";
import { prettyJson } from "./pretty-json.ts";

/** The body as it was received; JSON also laid out for reading. */
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
              aria-label="How to show the payload"
              value={view}
              onChange={setView}
              data={[
                { value: "formatted", label: "Formatted" },
                { value: "raw", label: "As received" },
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
          Only the beginning of a refused body is kept.
        </Alert>
      )}
      {bodyEncoding === "base64" && (
        <Text size="sm" c="dimmed" mb="xs">
          The bytes are not text; this is their base64.
        </Text>
      )}
      {body === "" ? (
        <Text size="sm">The body is empty.</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <pre className="payload" tabIndex={0}>
          {shown}
        </pre>
      )}
    </Paper>
  );
}
