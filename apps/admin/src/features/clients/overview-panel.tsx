"use client";

import { Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { CopyValue } from "@/components/copy-value.tsx";
import { SectionLink } from "@/components/page-tabs.tsx";
import { RowsSkeleton } from "@/components/state.tsx";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import { useCanChange } from "@/features/configuration/managed/lock-reason.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView, Environment } from "@/trpc/types.ts";
import { ClientActions, CompareButton } from "./client-actions.tsx";
import { ClientLock } from "./client-lock.tsx";
import styles from "./client-overview.module.css";
import { CLIENT_TYPES, GRANTS } from "./client-types.ts";
import { endpointsOf } from "./endpoints.ts";
import type { PanelProps } from "./panel.ts";
import { ReadOnlyNote } from "./read-only-note.tsx";
import { TestRedirectUri } from "./test-redirect-uri.tsx";
import { WaitingForFirstToken } from "./waiting-for-first-token.tsx";

const loading = () => <RowsSkeleton rows={2} height={200} />;
const ComparePanel = dynamic(() => import("./compare/compare-panel.tsx").then((module) => module.ComparePanel), {
  loading,
});
const PromoteClient = dynamic(() => import("./promote-client.tsx").then((module) => module.PromoteClient), { loading });

/** What a developer needs first of a client: where to connect, where users return to, and whether it works. */
export function OverviewPanel({ clients, client, issuer }: PanelProps) {
  const { hide, reason } = useCanChange(client.environment, client.managed);
  const view = useSearchParams().get("view");
  const [promotingFrom, setPromotingFrom] = useState<Environment>();
  if (promotingFrom) {
    const back = () => setPromotingFrom(undefined);
    return <PromoteClient place={client} clients={clients} from={promotingFrom} done={back} cancel={back} />;
  }
  const compare = (on: boolean) => changeQuery({ view: on ? "compare" : "" }, { push: true });
  if (view === "compare") return <ComparePanel clients={clients} close={() => compare(false)} />;
  return (
    <Stack gap="lg">
      <ReadOnlyNote environment={client.environment} />
      <ClientLock client={client} />
      {!client.enabled && (
        <Alert variant="light" color="red" title="This client is disabled">
          Its requests are rejected and its tokens don’t work until you enable it again.
        </Alert>
      )}
      {client.enabled && <WaitingForFirstToken clientId={client.clientId} />}
      <div className={styles["columns"]}>
        <Stack gap="xl" miw={0}>
          <Section
            title="Connection"
            text={CLIENT_TYPES[client.type].hint}
            actions={
              hide ? (
                clients.length > 1 && <CompareButton compare={() => compare(true)} />
              ) : (
                <ClientActions
                  clients={clients}
                  client={client}
                  reason={reason}
                  promoteFrom={setPromotingFrom}
                  compare={() => compare(true)}
                />
              )
            }
          >
            <Connection client={client} issuer={issuer} />
          </Section>
          {CLIENT_TYPES[client.type].redirects && <RedirectUris client={client} />}
        </Stack>
        <Facts client={client} />
      </div>
    </Stack>
  );
}

function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section>
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div className={styles["sectionText"]}>
          <Title order={2} size="h4">
            {title}
          </Title>
          {text && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}

/** What an OAuth library asks for. */
function Connection({ client, issuer }: { client: ClientView; issuer: string }) {
  const rows = [
    { label: "Client ID", what: "client ID", value: client.clientId },
    { label: "Issuer", what: "issuer", value: issuer },
    ...endpointsOf(client, issuer),
  ];
  return (
    <dl className={styles["values"]}>
      {rows.map(({ label, what, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <CopyValue value={value} what={what} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RedirectUris({ client }: { client: ClientView }) {
  return (
    <Section
      title="Redirect URIs"
      text="Where users return to after they sign in. Matched exactly."
      actions={
        <Button component={SectionLink} value="settings" variant="default" size="xs">
          Open settings
        </Button>
      }
    >
      <Stack gap="md">
        <ul className={styles["uris"]}>
          {client.redirectUris.map((uri) => (
            <li key={uri}>
              <CopyValue value={uri} what="redirect URI" />
            </li>
          ))}
          {client.redirectUris.length === 0 && <li>None</li>}
        </ul>
        {client.redirectUris.length > 0 && <TestRedirectUri clientId={client.clientId} />}
      </Stack>
    </Section>
  );
}

function Facts({ client }: { client: ClientView }) {
  const trpc = useTRPC();
  const { data: use } = useQuery(trpc.clients.firstUse.queryOptions({ clientId: client.clientId }));
  const facts: { term: string; value: ReactNode }[] = [
    { term: "Last token", value: use && (use.tokenAt === null ? "Never" : <Timestamp at={use.tokenAt} />) },
    { term: "Grant types", value: client.grantTypes.map((grant) => GRANTS[grant].label).join(", ") },
    { term: "Scopes", value: client.scopes.length === 0 ? "None" : client.scopes.join(" ") },
    {
      term: "Consent",
      value: client.type === "service" ? "No users" : client.firstParty ? "Skipped: first-party" : "Users are asked",
    },
    { term: "Registered", value: <Timestamp at={client.createdAt} /> },
    { term: "Changed", value: <Timestamp at={client.updatedAt} /> },
  ];
  return (
    <Terms names="above" label="Facts" className={styles["facts"]}>
      {facts.map(({ term, value }) => (
        <Term key={term} name={term}>
          {value ?? "…"}
        </Term>
      ))}
    </Terms>
  );
}
