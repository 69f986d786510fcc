"use client";

import { Alert, Group, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconGitBranch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMe } from "@/components/me.tsx";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView, Previews as PreviewsView } from "@/trpc/types.ts";
import type { PanelProps } from "../panel.ts";
import { FromCi } from "./from-ci.tsx";
import { SetFrame } from "./set-frame.tsx";
import { LiveSlots } from "./slots.tsx";

/** The slots of a client: redirect URIs of preview deployments, each with an end. CO-28 to CO-30. */
export function PreviewsPanel({ client, issuer }: PanelProps) {
  return <Previews key={client.clientId} client={client} issuer={issuer} />;
}

function Previews({ client, issuer }: Pick<PanelProps, "client" | "issuer">) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.previews.list.queryOptions({ clientId: client.clientId }));
  if (!data) return error ? <LoadError error={error} retry={refetch} /> : <RowsSkeleton rows={3} />;
  if (!data.frame) return <NoFrame client={client} previews={data} />;
  return (
    <Stack gap="xl">
      <Frame client={client} previews={data} frame={data.frame} />
      <LiveSlots client={client} previews={data} frame={data.frame} />
      <FromCi client={client} issuer={issuer} frame={data.frame} />
    </Stack>
  );
}

/** Why the user can't set the frame; undefined for admins. */
function useFrameReason(): string | undefined {
  return useMe().can.manageProduction ? undefined : "Only admins choose which addresses previews can have.";
}

function NoFrame({ client, previews }: { client: ClientView; previews: PreviewsView }) {
  const reason = useFrameReason();
  const { can } = useMe();
  return (
    <EmptyState
      icon={<IconGitBranch size={28} />}
      title="No previews yet"
      action={
        can.manageDevelopment && (
          <SetFrame client={client} previews={previews} reason={reason} label="Set preview addresses" primary />
        )
      }
    >
      Each preview deployment has its own address. A slot makes one address a redirect URI of this client, for days
      instead of forever, and without a wildcard. First, an admin chooses which addresses slots can have.
    </EmptyState>
  );
}

type FrameProps = { client: ClientView; previews: PreviewsView; frame: NonNullable<PreviewsView["frame"]> };

function Frame({ client, previews, frame }: FrameProps) {
  const reason = useFrameReason();
  const { can } = useMe();
  const days = frame.mostSeconds / 86_400;
  return (
    <section>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div style={{ flex: "1 1 18rem" }}>
          <Title order={2} size="h4">
            Preview addresses
          </Title>
          <Text size="sm" c="dimmed">
            A slot is one exact address of this form. It ends after {days} days at most; each deployment renews it.
          </Text>
        </div>
        {can.manageDevelopment && (
          <Group gap="xs">
            <SetFrame client={client} previews={previews} reason={reason} label="Change" />
          </Group>
        )}
      </Group>
      <code className="value" data-testid="preview-frame" style={{ overflowWrap: "anywhere" }}>
        https://{frame.hostPrefix}
        <strong>…</strong>
        {frame.hostSuffix}
        {frame.path}
      </code>
      {frame.sharedSuffix !== null && (
        <Alert
          variant="light"
          color="yellow"
          mt="sm"
          icon={<IconAlertTriangle aria-hidden="true" />}
          title="Strangers can take freed names"
        >
          Anybody can deploy under {frame.sharedSuffix}. When you delete a preview, somebody else can take its name and
          receive what is sent there. So slots end after {days} days here; end each one when you delete its preview.
        </Alert>
      )}
    </section>
  );
}
