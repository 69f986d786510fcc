"use client";

import { Alert, Badge, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { visibleText } from "@/components/code/visible-text.ts";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useUnsaved } from "@/components/unsaved.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { fieldWords } from "@/features/audit/words.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf, statusOf } from "@/trpc/errors.ts";
import type { ClientPlace, ClientView, Environment, PromotionDiff } from "@/trpc/types.ts";
import { CLIENT_TYPES } from "./client-types.ts";
import { showSecret } from "./secret-dialog.tsx";
import { SECTIONS } from "./settings/sections.ts";
import { takenAway } from "./taken-away.ts";
import { TakesAway } from "./takes-away.tsx";
import { UriRows } from "./uri-rows.tsx";

type Props = {
  place: ClientPlace;
  clients: readonly ClientView[];
  from: Environment;
  done: () => void;
  cancel: () => void;
};

/**
 * Copies a client's settings from one environment to that of `place`: shows what changes, and asks for redirect URIs of
 * its own. `clients`: the same client in every environment.
 */
export function PromoteClient(props: Props) {
  const trpc = useTRPC();
  const { place, from } = props;
  const { applicationId, name, environment: to } = place;
  const comparison = useQuery(trpc.clients.comparePromotion.queryOptions({ applicationId, name, from, to }));
  if (comparison.isPending) return <RowsSkeleton rows={1} height={320} />;
  if (comparison.data === undefined) return <LoadError error={comparison.error} retry={comparison.refetch} />;
  return <Promotion {...props} diff={comparison.data} />;
}

function Promotion({ place, clients, from, done, cancel, diff }: Props & { diff: PromotionDiff }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const { applicationId, name, environment: to } = place;
  const target = clients.find(({ environment }) => environment === to);
  const source = clients.find(({ environment }) => environment === from);
  const [first] = useState(target ? [...target.redirectUris] : [""]);
  const [redirectUris, setRedirectUris] = useState(first);
  useUnsaved(filledRows(redirectUris).join("\n") !== filledRows(first).join("\n"));
  const promote = useMutation(
    trpc.clients.promote.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ client, secret }) {
        if (secret !== null) showSecret(secret, client);
        else toastChanged(`Promoted from ${from} to ${to}.`);
        await changed();
        done();
        window.scrollTo({ top: 0 });
      },
      // A client changed after the comparison was loaded, so it is loaded again. The URIs that were typed stay.
      onError: (error) => (statusOf(error) === 409 ? changed() : undefined),
    }),
  );
  const fieldErrors = fieldErrorsOf(promote.error);
  const type = source?.type ?? "web";

  return (
    <Stack gap="lg">
      <div>
        <Title order={2} size="h4">
          Promote from {from} to {to}
        </Title>
        <Text size="sm" c="dimmed">
          Copies all settings except addresses, keys and secrets.{" "}
          {diff.targetExists ? "" : "This registers a new client."}
        </Text>
      </div>
      {diff.blocked !== null && (
        <Alert color="yellow" variant="light" title={`Can’t promote from ${from} to ${to}`}>
          {diff.blocked}
        </Alert>
      )}
      <Lints lints={diff.lints} />
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
      {target && source && (
        <TakesAway
          clientId={target.clientId}
          changes={takenAway(target, { ...source, redirectUris: filledRows(redirectUris) })}
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
            const filled = filledRows(redirectUris);
            setRedirectUris(filled.length === 0 ? [""] : filled);
            promote.mutate({
              applicationId,
              name,
              from,
              to,
              redirectUris: filled,
              postLogoutRedirectUris: [...(target?.postLogoutRedirectUris ?? [])],
              versions: diff.versions,
            });
          }}
        >
          {to === "production" ? "Promote to production" : "Promote"}
        </Button>
      </Group>
    </Stack>
  );
}

const filledRows = (rows: readonly string[]) => rows.map((uri) => uri.trim()).filter((uri) => uri !== "");

function Lints({ lints }: Pick<PromotionDiff, "lints">) {
  if (lints.length === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      title="Review before promoting"
      icon={<IconAlertTriangle aria-hidden="true" />}
    >
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {lints.map(({ path, message }) => (
          <li key={`${path} ${message}`} style={{ overflowWrap: "anywhere" }}>
            <b>{labelOf(path)}:</b> {visibleText(message)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

type Field = PromotionDiff["fields"][number];

const labelOf = (path: string) =>
  SECTIONS.flatMap(({ fields }) => fields).find((field) => field.path === path)?.label ?? fieldWords(path);

/** What promoting does comes first, what each environment keeps last. */
const rank = ({ promoted, differs }: Field) => (promoted ? (differs ? 0 : 1) : 2);

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
          {diff.fields
            .toSorted((one, other) => rank(one) - rank(other))
            .map((field) => (
              <Table.Tr key={field.field}>
                <Table.Th scope="row" fw={500}>
                  {labelOf(field.field)}
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
  if (isNew || (field.differs && field.to === null)) return <Outstanding>new</Outstanding>;
  if (!field.differs) return <Text size="sm">stays</Text>;
  return <Outstanding>{field.from === null ? "removed" : "changes"}</Outstanding>;
}

function Outstanding({ children }: { children: string }) {
  return (
    <Badge variant="light" tt="none">
      {children}
    </Badge>
  );
}

function formatValue(value: Field["to"]): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
