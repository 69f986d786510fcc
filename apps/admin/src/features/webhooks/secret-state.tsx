"use client";

import { Text } from "@mantine/core";
import { Timestamp } from "@/components/timestamp.tsx";
import type { WebhookSecret } from "@/trpc/types.ts";

/** The state of a secret in a word, with its evidence below. CO-32. */
export function SecretState({ secret: { state, kind, rotation } }: { secret: WebhookSecret }) {
  if (state === "ended") return <>Ended</>;
  if (state === "unreadable")
    return <Verdict word="Can’t be decrypted" color="red" evidence="Encrypted with another GATEHOUSE_SECRET. Add it again." />;
  if (rotation === null) return <>{kind === "api_key" ? "Active" : "Not judged"}</>;
  const { replacedBy, lastMatchedAt } = rotation;
  switch (rotation.state) {
    case "never_used":
      return <Verdict word="Never used" evidence="No delivery has matched it." />;
    case "in_use":
      return <Verdict word="In use" evidence={replacedBy && `…${replacedBy.hint} has matched since.`} />;
    case "quiet":
      return (
        <Verdict
          word="Quiet"
          evidence={
            lastMatchedAt !== null && (
              <>
                No match since <Timestamp at={lastMatchedAt} brief />.
              </>
            )
          }
        />
      );
    case "safe_to_remove":
      return <Verdict word="Safe to remove" color="teal" evidence={replacedBy && `…${replacedBy.hint} took over.`} />;
  }
}

function Verdict({ word, color, evidence }: { word: string; color?: string; evidence?: React.ReactNode }) {
  return (
    <>
      <Text size="sm" fw={550} {...(color !== undefined && { c: color })}>
        {word}
      </Text>
      {evidence && (
        <Text size="xs" c="dimmed">
          {evidence}
        </Text>
      )}
    </>
  );
}
