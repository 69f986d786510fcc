"use client";

import { Alert, Badge, Button, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Application, Environment, PromotionDiff } from "@/trpc/types.ts";
import { CLIENT_TYPES } from "./client-types.ts";
import { showSecret } from "./secret-dialog.tsx";
import { UriRows } from "./uri-rows.tsx";

type Props = { application: Application; from: Environment; to: Environment; done: () => void; cancel: () => void };

/** Copies one environment's settings to another: shows what changes, and asks for the target's own redirect URIs. */
export function PromoteClient(props: Props) {
  const trpc = useTRPC();
  const { application, from, to } = props;
  const comparison = useQuery(trpc.clients.comparePromotion.queryOptions({ applicationId: application.id, from, to }));
  if (comparison.isPending) return <RowsSkeleton rows={1} height={320} />;
  if (comparison.isError) return <LoadError error={comparison.error} retry={comparison.refetch} />;
  return <Promotion {...props} diff={comparison.data} />;
}

function Promotion({ application, from, to, done, cancel, diff }: Props & { diff: PromotionDiff }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const target = application.clients.find(({ environment }) => environment === to);
  const source = application.clients.find(({ environment }) => environment === from);
  const [redirectUris, setRedirectUris] = useState(target ? [...target.redirectUris] : [""]);
  const promote = useMutation(
    trpc.clients.promote.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ secret }) {
        if (secret !== null) showSecret(secret);
        else notifications.show({ color: "teal", message: `Promoted from ${from} to ${to}.` });
        await changed();
        done();
        window.scrollTo({ top: 0 });
      },
    }),
  );
  const fieldErrors = fieldErrorsOf(promote.error);
  const type = source?.type ?? "web";

  return (
    <Paper withBorder p={{ base: "md", sm: "xl" }}>
      <Stack gap="lg">
        <div>
          <Title order={2} size="h4">
            Promote from {from} to {to}
          </Title>
          <Text size="sm" c="dimmed">
            Copies all settings except redirect URIs and secrets. {diff.targetExists ? "" : "This registers a new client."}
          </Text>
        </div>
        {diff.blocked !== null && (
          <Alert color="yellow" variant="light" title={`Can’t promote from ${from} to ${to}`}>
            {diff.blocked}
          </Alert>
        )}
        <Differences diff={diff} from={from} to={to} />
        {CLIENT_TYPES[type].redirects && diff.blocked === null && (
          <UriRows
            label="Redirect URI"
            legend={`Redirect URIs for ${to}`}
            description="Each environment has its own redirect URIs."
            addLabel="Add redirect URI"
            placeholder="https://shop.example.com/callback"
            values={redirectUris}
            onChange={setRedirectUris}
            errorOf={(row) => fieldErrors[`redirectUris.${row}`]}
            check={{ type, environment: to }}
          />
        )}
        <FormError error={promote.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button
            disabled={diff.blocked !== null}
            loading={promote.isPending}
            onClick={() => {
              const filled = redirectUris.map((uri) => uri.trim()).filter((uri) => uri !== "");
              setRedirectUris(filled.length === 0 ? [""] : filled);
              promote.mutate({
                applicationId: application.id,
                from,
                to,
                redirectUris: filled,
                postLogoutRedirectUris: [...(target?.postLogoutRedirectUris ?? [])],
              });
            }}
          >
            Promote
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

type Field = PromotionDiff["fields"][number];

const FIELD_NAMES: Record<Field["field"], string> = {
  type: "Type",
  grantTypes: "Grant types",
  scopes: "Scopes",
  firstParty: "First-party",
  resourceServer: "Resource server",
  refreshRetrySeconds: "Refresh retry window",
  options: "Options",
  redirectUris: "Redirect URIs",
  postLogoutRedirectUris: "Post-logout redirect URIs",
};

function Differences({ diff, from, to }: { diff: PromotionDiff; from: Environment; to: Environment }) {
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table verticalSpacing="xs" aria-label="Changes" className="card-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Setting</Table.Th>
            <Table.Th>{ENVIRONMENTS[from].label}</Table.Th>
            <Table.Th>{ENVIRONMENTS[to].label} now</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {diff.fields.map((field) => (
            <Table.Tr key={field.field}>
              <Table.Th scope="row" fw={500}>
                {FIELD_NAMES[field.field]}
              </Table.Th>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{formatValue(field.from)}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{formatValue(field.to)}</Table.Td>
              <Table.Td>
                <Outcome field={field} isNew={!diff.targetExists} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Outcome({ field, isNew }: { field: Field; isNew: boolean }) {
  if (!field.promoted) return <Text size="sm">not copied</Text>;
  if (isNew) return <Text size="sm">copied</Text>;
  if (!field.differs) return <Text size="sm">no change</Text>;
  return (
    <Badge variant="light" tt="none">
      changed
    </Badge>
  );
}

function formatValue(value: Field["to"]): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
