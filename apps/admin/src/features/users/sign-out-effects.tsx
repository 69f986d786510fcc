"use client";

import { MAX_LISTED_SESSIONS } from "@gatehouse/console/lists/lists";
import { List, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { LoadError } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ConnectedApp } from "@/trpc/types.ts";

/** How many of the applications are named. */
const NAMED = 10;

/**
 * What **Sign out everywhere** ends: the sessions, and the access of each application. `sessions` is undefined until
 * they are loaded. CO-62.
 */
export function SignOutEffects({ userId, sessions }: { userId: string; sessions: number | undefined }) {
  const apps = useQuery(useTRPC().users.connectedApps.queryOptions({ id: userId }));
  if (apps.isError && apps.data === undefined) return <LoadError error={apps.error} retry={apps.refetch} />;
  if (apps.data === undefined || sessions === undefined)
    return <Skeleton h={64} role="status" aria-label="Checking what ends" />;
  const further = apps.data.length - NAMED;
  return (
    <div data-testid="impact">
      <Text size="sm">
        {sessionsText(sessions)}{" "}
        {apps.data.length === 0 ? "No connected application has access." : "These applications lose access:"}
      </Text>
      {apps.data.length > 0 && (
        <List size="sm" mt="xs">
          {apps.data.slice(0, NAMED).map((app) => (
            <List.Item key={`${app.applicationId} ${app.environment}`}>
              <bdi>{app.applicationName}</bdi> ({ENVIRONMENTS[app.environment].label.toLowerCase()}
              {isOffline(app) && ", offline access"})
            </List.Item>
          ))}
          {further > 0 && <List.Item>{further} more</List.Item>}
        </List>
      )}
    </div>
  );
}

const isOffline = ({ scopes }: ConnectedApp) => scopes.some(({ name }) => name === "offline_access");

function sessionsText(count: number): string {
  if (count === 0) return "No session is active.";
  if (count === 1) return "1 session ends.";
  return `${count}${count >= MAX_LISTED_SESSIONS ? " or more" : ""} sessions end.`;
}
