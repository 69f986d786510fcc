"use client";

import { describeBrowser } from "@gatehouse/ui/browser";
import { Button, Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor } from "@/trpc/list.ts";
import type { UserEvent, UserHistoryEntry } from "@/trpc/types.ts";
import { actionWords, eventWords } from "./history-words.ts";

/** What admins did to a user, and what happened to the account. UM-04, SN-05. */
export function UserHistory({ userId }: { userId: string }) {
  const [shown, setShown] = useState("history");
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          History
        </Title>
        <SegmentedControl
          aria-label="History"
          value={shown}
          onChange={setShown}
          data={[
            { value: "history", label: "By admins" },
            { value: "events", label: "Account activity" },
          ]}
          style={{ alignSelf: "flex-start" }}
        />
        {shown === "history" ? <AdminActs userId={userId} /> : <Events userId={userId} />}
      </Stack>
    </Paper>
  );
}

function AdminActs({ userId }: { userId: string }) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(trpc.users.history.infiniteQueryOptions({ id: userId }, byCursor));
  return (
    <Entries query={query} empty="No admin has changed this user.">
      {(entry: UserHistoryEntry) => (
        <Entry key={entry.id} at={entry.at} title={actionWords(entry)} more={reasonOf(entry)}>
          by {entry.actorName}
          {entry.via === "cli" && " on the command line"}
        </Entry>
      )}
    </Entries>
  );
}

function Events({ userId }: { userId: string }) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(trpc.users.events.infiniteQueryOptions({ id: userId }, byCursor));
  return (
    <Entries query={query} empty="Nothing in the last 180 days.">
      {(event: UserEvent) => (
        <Entry key={event.id} at={event.at} title={eventWords(event)}>
          {event.address === null
            ? "by an admin or the server"
            : `${describeBrowser(event.userAgent)} · ${event.address}`}
        </Entry>
      )}
    </Entries>
  );
}

type Query<Item> = {
  data: { pages: { items: Item[] }[] } | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
};

function Entries<Item>({
  query,
  empty,
  children,
}: {
  query: Query<Item>;
  empty: string;
  children: (item: Item) => ReactNode;
}) {
  if (query.isPending) return <RowsSkeleton rows={3} height={36} />;
  if (query.isError) return <LoadError error={query.error} retry={query.refetch} />;
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (items.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {items.map(children)}
      {query.hasNextPage && (
        <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </Stack>
  );
}

function Entry({
  at,
  title,
  more,
  children,
}: {
  at: number;
  title: string;
  more?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div style={{ overflowWrap: "anywhere" }}>
      <Text size="sm">{title}</Text>
      {more !== undefined && <Text size="sm">“{more}”</Text>}
      <Text size="sm" c="dimmed">
        {children} · <Timestamp at={at} />
      </Text>
    </div>
  );
}

function reasonOf({ detail }: UserHistoryEntry): string | undefined {
  const { reason } = detail;
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}
