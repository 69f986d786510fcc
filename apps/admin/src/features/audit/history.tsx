"use client";

import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { visibleText } from "@/components/code/visible-text.ts";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor } from "@/trpc/list.ts";
import type { AuditEntry } from "@/trpc/types.ts";
import { hrefOf } from "./audit-table.tsx";
import styles from "./diff.module.css";
import { Diff } from "./diff.tsx";
import { actionWords, VIA_WORDS } from "./words.ts";

/**
 * What was done to an object, newest first: the tab History. With several ids, to any of them: an application with its
 * clients. CO-66.
 */
export function History({ object }: { object: string | readonly string[] }) {
  const trpc = useTRPC();
  const objects = typeof object === "string" ? [object] : [...object];
  const query = useInfiniteQuery(trpc.audit.history.infiniteQueryOptions({ objects }, byCursor));
  if (query.isPending) return <RowsSkeleton rows={4} height={64} />;
  if (query.isError) return <LoadError error={query.error} retry={query.refetch} />;
  const entries = query.data.pages.flatMap(({ items }) => items);
  if (entries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No changes are recorded.
      </Text>
    );
  }
  return (
    <Stack gap={0} maw={760}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
      {query.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mt="sm"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </Stack>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  return (
    <article className={styles["entry"]}>
      <Group justify="space-between" gap="sm" mb={6}>
        <Text size="sm">
          <Anchor component={Link} href={hrefOf(entry)} size="sm" fw={500}>
            {actionWords(entry.action)}
          </Anchor>{" "}
          <bdi>{visibleText(entry.objectName ?? entry.object)}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          <bdi>{visibleText(entry.actorName)}</bdi>
          {entry.via !== "console" && `, ${VIA_WORDS[entry.via].toLowerCase()}`}
          {typeof entry.detail["file"] === "string" && (
            <>
              , with <bdi>{visibleText(entry.detail["file"])}</bdi>
            </>
          )}{" "}
          · <Timestamp at={entry.at} />
        </Text>
      </Group>
      <Diff entry={entry} />
    </article>
  );
}
