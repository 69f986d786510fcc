"use client";

import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ActionRow } from "@/components/action-row.tsx";
import { CopyValue } from "@/components/copy-value.tsx";
import { DangerZone } from "@/components/danger-zone.tsx";
import { ForeignLink } from "@/components/foreign-link.tsx";
import { useMe } from "@/components/me.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { HistorySection } from "@/features/audit/history-section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { SelfRegisteredDetail } from "@/trpc/types.ts";
import { BlockButton } from "./block-button.tsx";
import { WHAT } from "./block-impact.tsx";
import { LiftBlock } from "./lift-block.tsx";
import { SelfRegisteredState, usersText } from "./states.tsx";
import { useSelfRegisteredChanged } from "./use-self-registered-changed.ts";

const CRUMBS = [{ label: "Self-registered", href: "/self-registered" }];

/** One self-registered client: what it says about itself, and what an admin can do about it. CO-61. */
export function SelfRegisteredClientPage({ clientId }: { clientId: string }) {
  const client = useQuery(useTRPC().selfRegistered.get.queryOptions({ clientId }));
  if (client.isPending) return <RowsSkeleton rows={2} height={180} />;
  if (client.data === undefined) return <LoadError error={client.error} retry={client.refetch} />;
  return <Loaded client={client.data} />;
}

function Loaded({ client }: { client: SelfRegisteredDetail }) {
  const { can } = useMe();
  return (
    <>
      <PageFrame
        title={client.name}
        crumbs={CRUMBS}
        environment="production"
        facts={
          <>
            <CopyValue value={client.clientId} what="client id" testId="client-id" />
            <SelfRegisteredState state={client.state} />
            <span>{client.approvedAt === null ? "Not approved" : "Approved"}</span>
          </>
        }
        actions={can.manageProduction ? <Actions client={client} /> : undefined}
      />
      <Stack gap="lg" maw={820}>
        {client.blocks.length > 0 && <Blocks blocks={client.blocks} canLift={can.manageProduction} />}
        {client.fetchError && <FetchError error={client.fetchError} />}
        <Facts client={client} />
        {can.manageProduction && client.state !== "blocked" && <Danger client={client} />}
        <HistorySection object={objectsOf(client)} />
      </Stack>
    </>
  );
}

/** The client, and the host and software that were blocked with it. */
const objectsOf = ({ clientId, documentHost, softwareId }: SelfRegisteredDetail) =>
  [clientId, documentHost, softwareId].filter((object) => object !== null);

/** The blocks that stop the client: its own, and those of its host and software. */
function Blocks({ blocks, canLift }: { blocks: SelfRegisteredDetail["blocks"]; canLift: boolean }) {
  return (
    <Alert color="red" variant="light" title="This client is blocked">
      <Stack gap={4}>
        {blocks.map(({ kind, value, expiresAt }) => (
          <Group key={`${kind} ${value}`} gap="xs">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              Its {WHAT[kind].label} <bdi>{value}</bdi>,{" "}
              {expiresAt === null ? "until the block is lifted" : <Until at={expiresAt} />}
            </Text>
            {canLift && <LiftBlock target={{ kind, value }} />}
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

function Until({ at }: { at: number }) {
  return (
    <>
      until <Timestamp at={at} />
    </>
  );
}

/** What stops the client, or all that share its host or software. CO-43. */
function Danger({ client: { clientId, name, documentHost, softwareId } }: { client: SelfRegisteredDetail }) {
  return (
    <DangerZone>
      <ActionRow
        title="Block this client"
        hint="It stops working at once, and stays blocked when it registers again. You can lift the block."
      >
        <BlockButton size="sm" target={{ kind: "client_id", value: clientId }} name={name} />
      </ActionRow>
      {documentHost !== null && (
        <ActionRow
          title="Block its host"
          hint={`Every client whose metadata document is on ${documentHost} stops working at once.`}
        >
          <BlockButton size="sm" target={{ kind: "document_host", value: documentHost }} />
        </ActionRow>
      )}
      {softwareId !== null && (
        <ActionRow title="Block its software" hint="Every client with the same software id stops working at once.">
          <BlockButton size="sm" target={{ kind: "software_id", value: softwareId }} />
        </ActionRow>
      )}
    </DangerZone>
  );
}

function Actions({ client: { clientId, state, origin, approvedAt, version } }: { client: SelfRegisteredDetail }) {
  const trpc = useTRPC();
  const changed = useSelfRegisteredChanged();
  // Also after a conflict: the page then shows what the client says now, and the next click is about that.
  const approve = useMutation(trpc.selfRegistered.approve.mutationOptions({ onSettled: changed }));
  const fetchAgain = useMutation(
    trpc.selfRegistered.fetchAgain.mutationOptions({
      async onSuccess() {
        toastChanged("The document is fetched and stored.");
        await changed();
      },
    }),
  );
  const approved = approvedAt !== null;
  return (
    <Group gap="xs">
      {origin === "metadata_document" && state !== "blocked" && (
        <Button variant="default" loading={fetchAgain.isPending} onClick={() => fetchAgain.mutate({ clientId })}>
          Fetch again
        </Button>
      )}
      <Button
        {...(approved && { variant: "default" })}
        loading={approve.isPending}
        onClick={() => approve.mutate(approved ? { clientId, approved: false } : { clientId, approved: true, version })}
      >
        {approved ? "Revoke approval" : "Approve in production"}
      </Button>
    </Group>
  );
}

function FetchError({ error: { at, message, errorId } }: { error: NonNullable<SelfRegisteredDetail["fetchError"]> }) {
  return (
    <Alert color="yellow" variant="light" title="The metadata document could not be read">
      <Text size="sm">
        <bdi>{message}</bdi>, <Timestamp at={at} />.{" "}
        <Anchor component={Link} href={`/failures/${errorId}`} size="sm">
          Open the failure
        </Anchor>
      </Text>
    </Alert>
  );
}

/** What the addresses are called. The console loads none of them, not even the logo. */
const WEB_PAGES: Record<SelfRegisteredDetail["webPages"][number]["kind"], string> = {
  website: "Website",
  logo: "Logo",
  policy: "Privacy policy",
  terms: "Terms of service",
};

function Facts({ client }: { client: SelfRegisteredDetail }) {
  const {
    origin,
    redirectUris,
    scopes,
    confirmedAt,
    lastUsedAt,
    createdAt,
    updatedAt,
    softwareId,
    documentHost,
    webPages,
  } = client;
  return (
    <Terms>
      <Term name="Approval">
        {client.approvedAt === null ? (
          "The consent page warns that nobody here has verified this app. An approval drops the warning, until the app changes anything that it says about itself."
        ) : (
          <>
            Approved <Timestamp at={client.approvedAt} />. It ends when the app changes anything that it says about
            itself.
          </>
        )}
      </Term>
      <Term name="Redirect URIs">
        <ul style={{ margin: 0, paddingInlineStart: 20, overflowWrap: "anywhere" }}>
          {redirectUris.map((uri) => (
            <li key={uri}>
              <bdi>{uri}</bdi>
            </li>
          ))}
        </ul>
      </Term>
      <Term name="Scopes">{scopes.join(" ")}</Term>
      {documentHost !== null && <Term name="Document host">{documentHost}</Term>}
      {softwareId !== null && (
        <Term name="Software id">
          <bdi>{softwareId}</bdi>
        </Term>
      )}
      {webPages.map(({ kind, url }) => (
        <Term key={kind} name={WEB_PAGES[kind]}>
          <ForeignLink url={url} />
        </Term>
      ))}
      <Term name="Users">{usersText(client)}</Term>
      <Term name="First allowed by a user">{confirmedAt === null ? "Not yet" : <Timestamp at={confirmedAt} />}</Term>
      <Term name="Last token">{lastUsedAt === null ? "Never" : <Timestamp at={lastUsedAt} />}</Term>
      <Term name="Registered">
        <Timestamp at={createdAt} />
      </Term>
      {origin === "metadata_document" && (
        <Term name="Document fetched">
          <Timestamp at={updatedAt} />
        </Term>
      )}
    </Terms>
  );
}
