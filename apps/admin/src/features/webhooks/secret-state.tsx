"use client";

import { SecretVerdict } from "@/components/secret-verdict.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { WebhookSecret } from "@/trpc/types.ts";

/** The state of a secret in a word, with its evidence below. CO-32. */
export function SecretState({ secret: { state, kind, rotation } }: { secret: WebhookSecret }) {
  if (state === "ended") return <>Ended</>;
  if (state === "unreadable")
    return (
      <SecretVerdict
        word="Can’t be decrypted"
        color="red"
        evidence="Encrypted with another GATEHOUSE_SECRET. Add it again."
      />
    );
  if (rotation === null) return <>{kind === "api_key" ? "Active" : "Unknown"}</>;
  const { replacedBy, lastMatchedAt } = rotation;
  switch (rotation.state) {
    case "never_used":
      return <SecretVerdict word="Never used" evidence="No delivery has matched it." />;
    case "in_use":
      return <SecretVerdict word="In use" evidence={replacedBy && `…${replacedBy.hint} has matched since.`} />;
    case "quiet":
      return (
        <SecretVerdict
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
      return (
        <SecretVerdict
          word="Safe to remove"
          color="var(--gh-success)"
          evidence={replacedBy && `…${replacedBy.hint} took over.`}
        />
      );
  }
}
