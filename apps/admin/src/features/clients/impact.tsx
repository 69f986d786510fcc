"use client";

import { Alert, List, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import type { ClientChange, ClientImpact } from "@/trpc/types.ts";

type Count = NonNullable<ClientImpact["users"]>;

/** What a change would take from a client; undefined until it is known. Asks only while `asking`. CO-37. */
export function useImpact(clientId: string, change: ClientChange, asking = true) {
  return useQuery(useTRPC().clients.impact.queryOptions({ clientId, change }, { enabled: asking, staleTime: 0 }));
}

/** Whether users lose access. True while it isn't known, or isn't counted. */
export function hasImpact(impact: ClientImpact | undefined): boolean {
  return !impact?.users || impact.users.count > 0 || impact.users.more;
}

/** Who loses access by a change to a client, and what happens at once and later. */
export function ImpactNote({ clientId, change }: { clientId: string; change: ClientChange }) {
  const { data, error } = useImpact(clientId, change);
  return <ImpactFacts data={data} error={error} unit={change.kind === "scopes" ? "token" : "sign-in"} />;
}

type Facts = { data: ClientImpact | undefined; error: unknown; unit: "sign-in" | "token" };

/** The answer of a question about impact, while it is loading and after. `unit`: what was counted. */
export function ImpactFacts({ data, error, unit }: Facts) {
  if (error)
    return (
      <Alert color="yellow" variant="light">
        We couldn’t tell who is affected: {messageOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton h={96} role="status" aria-label="Checking who is affected" />;
  const { users, grants, lastTokenAt, signIns30d, atOnce, later } = data;
  return (
    <div data-testid="impact">
      {users && grants && <Text size="sm">{losers(users, grants)}</Text>}
      <Text size="sm" c="dimmed">
        Last token: {lastTokenAt === null ? "never" : <Timestamp at={lastTokenAt} />}
        {signIns30d !== null && ` · ${plural(signIns30d, unit)} in the last 30 days`}
      </Text>
      <List size="sm" mt="xs">
        {atOnce.map((sentence) => (
          <List.Item key={sentence}>At once: {sentence}</List.Item>
        ))}
        {later.map((sentence) => (
          <List.Item key={sentence}>Later: {sentence}</List.Item>
        ))}
      </List>
    </div>
  );
}

function losers(users: Count, grants: Count): string {
  if (users.count === 0 && !users.more) return "No user loses access.";
  const one = users.count === 1 && !users.more;
  return `${bounded(users, "user")} ${one ? "loses" : "lose"} access (${bounded(grants, "grant")}).`;
}

const bounded = ({ count, more }: Count, noun: string) =>
  more ? `${count.toLocaleString("en")}+ ${noun}s` : plural(count, noun);

const plural = (count: number, noun: string) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
