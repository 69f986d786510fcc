"use client";

import { Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCanManage } from "@/components/me.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientSecret, ClientView } from "@/trpc/types.ts";
import type { PanelProps } from "../panel.ts";
import { ReadOnlyNote } from "../read-only-note.tsx";
import { AddSecret } from "./add-secret.tsx";
import { RotationSteps } from "./rotation-steps.tsx";
import { EndedSecrets, LiveSecrets } from "./secret-table.tsx";

const MAX_LIVE = 2;
/** While somebody waits for the first use of a new secret. */
const WAITING_MS = 2_000;
const RELAXED_MS = 30_000;
/** A secret that is still unused this long after it was added is asked for less often. */
const WAIT_SECONDS = 10 * 60;

/** The secrets of a confidential client. It can have two at once, to rotate them without downtime. CO-31 to CO-34. */
export function SecretsPanel({ client }: PanelProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({
    ...trpc.clients.secrets.queryOptions({ clientId: client.clientId }),
    refetchInterval: ({ state }) => (awaitsFirstUse(state.data) ? WAITING_MS : RELAXED_MS),
  });
  return (
    <Stack gap="lg">
      <ReadOnlyNote environment={client.environment} />
      {data ? (
        <Secrets client={client} secrets={data} />
      ) : error ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <RowsSkeleton rows={3} />
      )}
    </Stack>
  );
}

function awaitsFirstUse(secrets: readonly ClientSecret[] | undefined): boolean {
  const newest = secrets?.find(({ state }) => state === "live");
  return newest?.lastUsedAt === null && Date.now() / 1000 - newest.createdAt < WAIT_SECONDS;
}

function Secrets({ client, secrets }: { client: ClientView; secrets: readonly ClientSecret[] }) {
  const { hide, reason } = useCanManage(client.environment);
  const live = secrets.filter(({ state }) => state === "live");
  const ended = secrets.filter(({ state }) => state === "ended");
  const full = live.length >= MAX_LIVE ? "A client can have two active secrets. Retire one first." : undefined;
  return (
    <>
      <section>
        <Group justify="space-between" mb="sm" align="flex-start">
          <div style={{ flex: "1 1 18rem" }}>
            <Title order={2} size="h4">
              Active secrets
            </Title>
            <Text size="sm" c="dimmed">
              Each of them authenticates the client. Gatehouse stores only their hashes.
            </Text>
          </div>
          {!hide && <AddSecret client={client} first={live.length === 0} reason={reason ?? full} />}
        </Group>
        {live.length === 0 ? (
          <Text size="sm">No active secrets. This client can’t authenticate until you add one.</Text>
        ) : (
          <LiveSecrets client={client} secrets={live} hide={hide} reason={reason} />
        )}
      </section>
      {live.length > 0 && <RotationSteps live={live} />}
      {ended.length > 0 && <EndedSecrets secrets={ended} />}
    </>
  );
}
