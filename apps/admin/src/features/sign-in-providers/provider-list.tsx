"use client";

import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLogin2, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { StatusDot } from "@/components/status-dot.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { useOpenedByLink } from "@/components/use-opened-by-link.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { SignInPreset, SignInProvider } from "@/trpc/types.ts";
import { NewProvider } from "./new-provider.tsx";
import styles from "./provider-list.module.css";
import { ProviderMark } from "./provider-mark.tsx";
import { userCount } from "./provider-values.ts";

/** The providers that users sign in with, in the order of their buttons. UP-01. */
export function ProviderList({ issuer }: { issuer: string }) {
  const trpc = useTRPC();
  const { can } = useMe();
  const confirmed = useConfirmed();
  const providers = useQuery(trpc.signInProviders.list.queryOptions());
  const presets = useQuery(trpc.signInProviders.presets.queryOptions());
  const [adding, dialog] = useDisclosure();
  useOpenedByLink("new", () => can.manageUsers && confirmed(dialog.open));
  const failed = [providers, presets].find(({ error }) => error);
  const add = can.manageUsers && (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => confirmed(dialog.open)}>
      Add provider
    </Button>
  );
  const some = providers.data !== undefined && providers.data.length > 0;
  return (
    <>
      <PageHeader
        title="Sign-in providers"
        description="Users sign in with an account they already have, such as Google or your company’s identity provider."
        action={some && add}
      />
      {failed ? (
        <LoadError error={failed.error} retry={failed.refetch} />
      ) : providers.data && presets.data ? (
        <>
          {some ? (
            <Providers providers={providers.data} presets={presets.data} />
          ) : (
            <EmptyState icon={<IconLogin2 />} title="No sign-in providers" action={add}>
              Users sign in with what they have here: a password or a passkey. Add Google, Microsoft, GitHub, Apple,
              GitLab or any OpenID provider.
            </EmptyState>
          )}
          <NewProvider opened={adding} close={dialog.close} presets={presets.data} issuer={issuer} />
        </>
      ) : (
        <RowsSkeleton />
      )}
    </>
  );
}

const columnsWith = (kindOf: (preset: string) => string): readonly Column<SignInProvider>[] => [
  {
    id: "provider",
    title: "Provider",
    render: ({ id, name, preset }) => (
      <Group component="span" gap="sm" wrap="nowrap">
        <span className={styles["mark"]}>
          <ProviderMark provider={{ preset, name }} />
        </span>
        <span style={{ overflowWrap: "anywhere" }}>
          <Text span size="sm" fw={500} display="block">
            {name}
          </Text>
          <Text span size="xs" c="dimmed" ff="monospace">
            {id}
          </Text>
        </span>
      </Group>
    ),
  },
  { id: "kind", title: "Kind", from: "medium", render: ({ preset }) => kindOf(preset) },
  { id: "domains", title: "Domains", from: "medium", render: ({ settings }) => settings.domains?.join(", ") || "Any" },
  { id: "users", title: "Users", numeric: true, render: userCount },
  {
    id: "state",
    title: "State",
    render: ({ enabled, secret }) =>
      secret === "unreadable" ? (
        <Unreadable />
      ) : (
        <StatusDot tone={enabled ? "good" : "past"}>{enabled ? "On" : "Off"}</StatusDot>
      ),
  },
];

function Providers({ providers, presets }: { providers: readonly SignInProvider[]; presets: readonly SignInPreset[] }) {
  const columns = columnsWith((preset) => presets.find((one) => one.preset === preset)?.name ?? preset);
  return (
    <DataTable
      name="sign-in-providers"
      label="Sign-in providers"
      rows={providers}
      columns={columns}
      rowId={({ id }) => id}
      href={({ id }) => `/sign-in-providers/${id}`}
    />
  );
}

const Unreadable = () => (
  <Text size="sm" c="red" fw={550}>
    Secret unreadable
  </Text>
);
