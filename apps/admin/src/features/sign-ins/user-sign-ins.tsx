"use client";

import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { SHOWN_NEWEST } from "@/features/users/newest.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { hrefOf, methodWords, Result } from "./sign-in-table.tsx";

const useNewest = (userId: string) =>
  useQuery(useTRPC().signIns.list.queryOptions({ user: userId, limit: SHOWN_NEWEST }));

/** The newest attempts of a user to sign in: the answer to "I can't sign in". SL-03. */
export function UserSignIns({ userId }: { userId: string }) {
  const query = useNewest(userId);
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Sign-ins
          </Title>
          {(query.data?.items.length ?? 0) > 0 && (
            <Anchor component={Link} href={`/sign-ins?${new URLSearchParams({ user: userId })}`} size="sm">
              All attempts
            </Anchor>
          )}
        </Group>
        <Newest query={query} />
      </Stack>
    </Paper>
  );
}

function Newest({ query }: { query: ReturnType<typeof useNewest> }) {
  if (query.isPending) return <RowsSkeleton rows={3} height={36} />;
  if (query.data === undefined) return <LoadError error={query.error} retry={query.refetch} />;
  const { items } = query.data;
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No attempts on record.
      </Text>
    );
  return (
    <Stack gap="sm">
      {items.map((signIn) => (
        <div key={signIn.id}>
          <Anchor component={Link} href={hrefOf(signIn.id)} size="sm" c="inherit" underline="hover">
            <Result signIn={signIn} />
          </Anchor>
          <Text size="sm" c="dimmed">
            {methodWords(signIn)}
            {signIn.client?.applicationName != null && ` · ${signIn.client.applicationName}`} ·{" "}
            <Timestamp at={signIn.at} />
          </Text>
        </div>
      ))}
    </Stack>
  );
}
