"use client";

import { Button, CopyButton } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import type { Failure } from "@/trpc/types.ts";

/** What the developer of the client needs, as text for a mail or a chat. */
export function CopyMessage({ failure }: { failure: Failure }) {
  return (
    <CopyButton value={messageOf(failure)} timeout={1500}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          <span aria-live="polite">{copied ? "Copied" : "Copy message for them"}</span>
        </Button>
      )}
    </CopyButton>
  );
}

function messageOf({ errorId, at, endpoint, sentence, howToFix, uri, client }: Failure): string {
  const when = new Date(at * 1000).toISOString().replace(".000Z", " UTC").replace("T", " ");
  const lines = [
    `A request to ${endpoint} was refused on ${when} (error ${errorId}).`,
    ...(client ? [`Client: ${client.clientId}`] : []),
    sentence,
    ...(uri ? [`Sent:       ${uri.sent}`, `Registered: ${uri.comparison.nearest ?? "no redirect URI"}`] : []),
    `What to do: ${howToFix}`,
  ];
  return lines.map(visibleText).join("\n");
}
