"use client";

import { Anchor, Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { LookupMatch } from "@/trpc/types.ts";
import { hrefOf } from "./href.ts";

const KINDS: Record<LookupMatch["kind"], string> = {
  failure: "Failure",
  sign_in: "Sign-in",
  client: "Client",
  self_registered: "Self-registered client",
  application: "Application",
  delivery: "Delivery",
  event: "Deliveries of an event",
  user: "User",
  key: "Signing key",
  audit: "Row of the audit log",
};

/** Finds what an id or an email address names. A plain form, so that it works without JavaScript. CO-04. */
export function SearchPage() {
  const text = useSearchParams().get("q")?.trim().slice(0, 300) ?? "";
  return (
    <>
      <PageFrame
        title="Search"
        description="Paste an error id, client id, delivery or event id, user id, key id or email address to open what it names."
      />
      <form action="/search" method="get">
        <Group gap="xs" align="flex-end" mb="lg">
          <TextInput
            key={text}
            name="q"
            label="Id or email address"
            defaultValue={text}
            maxLength={300}
            w={{ base: "100%", sm: 480 }}
          />
          <Button type="submit">Search</Button>
        </Group>
      </form>
      {text !== "" && <Matches text={text} />}
    </>
  );
}

function Matches({ text }: { text: string }) {
  const { data, error, refetch } = useQuery(useTRPC().lookup.find.queryOptions({ text }));
  if (error) return <LoadError error={error} retry={refetch} />;
  if (data === undefined) return null;
  if (data.length === 0)
    return (
      <Text role="status">
        Nothing is named <bdi className="value">{text}</bdi>. Check that it’s complete: only whole ids and addresses are
        found here.
      </Text>
    );
  return (
    <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: "none" }} aria-label="Matches">
      {data.map((match) => (
        <li key={match.kind} className="search-match">
          <Stack gap={2}>
            <Anchor component={Link} href={hrefOf(match)} fw={500}>
              <bdi>{match.name}</bdi>
            </Anchor>
            <Text size="sm" c="dimmed">
              {KINDS[match.kind]} · <bdi>{match.id}</bdi>
            </Text>
          </Stack>
        </li>
      ))}
    </Paper>
  );
}
