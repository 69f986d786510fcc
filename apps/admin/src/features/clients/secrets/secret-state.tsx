import { SecretVerdict } from "@/components/secret-verdict.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { ClientSecret } from "@/trpc/types.ts";

/** The state of a live secret in words, with its evidence. CO-32. */
export function SecretState({ secret: { rotation, lastUsedAt } }: { secret: ClientSecret }) {
  if (rotation === null) return null;
  const { replacedBy } = rotation;
  switch (rotation.state) {
    case "never_used":
      return <SecretVerdict word="Never used" evidence="No request has used it." />;
    case "in_use":
      return <SecretVerdict word="In use" evidence={replacedBy && `…${replacedBy.hint} was used since.`} />;
    case "quiet":
      return (
        <SecretVerdict
          word="Quiet"
          evidence={
            lastUsedAt !== null && (
              <>
                No use since <Timestamp at={lastUsedAt} brief />.
              </>
            )
          }
        />
      );
    case "safe_to_remove":
      return (
        <SecretVerdict
          word="Safe to retire"
          color="var(--gh-success)"
          evidence={replacedBy && `…${replacedBy.hint} took over.`}
        />
      );
  }
}
