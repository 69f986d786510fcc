"use client";

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { HistorySection } from "@/features/audit/history-section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { KeyView } from "@/trpc/types.ts";
import { KeyTable } from "./key-table.tsx";
import { KeyTimeline, TimelineLegend } from "./key-timeline.tsx";
import styles from "./keys.module.css";
import { RotateKeys } from "./rotate-keys.tsx";

/** What each algorithm's keys sign. */
const USES: Record<KeyView["algorithm"], string> = {
  RS256: "The default for ID tokens and JWT access tokens.",
  ES256: "For clients and APIs that choose it: short signatures.",
  EdDSA: "For clients and APIs that choose it: short signatures, fast to make.",
};
/** A history takes at most 61 objects. */
const NEWEST = 60;
const ALGORITHMS = Object.keys(USES) as KeyView["algorithm"][];

/** The published signing keys: when each was published, signs, and leaves, and how to replace it. CO-60. */
export function KeysPage() {
  const keys = useQuery(useTRPC().keys.list.queryOptions());
  return (
    <>
      <PageFrame
        title="Signing keys"
        description="Keys rotate by themselves every 90 days: published a day before they sign, and for 30 days after."
      />
      {keys.isPending && <RowsSkeleton rows={3} height={180} />}
      {keys.isError && keys.data === undefined && <LoadError error={keys.error} retry={keys.refetch} />}
      <TimelineLegend />
      {keys.data &&
        ALGORITHMS.map((algorithm) => (
          <Algorithm
            key={algorithm}
            algorithm={algorithm}
            keys={keys.data.keys.filter((key) => key.algorithm === algorithm)}
            now={keys.data.now}
          />
        ))}
      {keys.data && keys.data.keys.length > 0 && (
        <HistorySection object={keys.data.keys.slice(0, NEWEST).map(({ kid }) => kid)} />
      )}
    </>
  );
}

function Algorithm({ algorithm, keys, now }: { algorithm: KeyView["algorithm"]; keys: KeyView[]; now: number }) {
  return (
    <section aria-labelledby={`keys-${algorithm}`} className={styles["algorithm"]}>
      <div className={styles["heading"]}>
        <div>
          <h2 id={`keys-${algorithm}`}>{algorithm}</h2>
          <Text size="sm" c="dimmed">
            {USES[algorithm]}
          </Text>
        </div>
        <RotateKeys algorithm={algorithm} keys={keys} />
      </div>
      {keys.length === 0 ? (
        <Text size="sm">No key yet. The first one is made when it’s needed.</Text>
      ) : (
        <>
          <KeyTimeline keys={keys} now={now} />
          <KeyTable algorithm={algorithm} keys={keys} />
        </>
      )}
    </section>
  );
}
