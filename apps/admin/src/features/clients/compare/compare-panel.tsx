"use client";

import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { ENVIRONMENTS, EnvironmentDot, environmentNames } from "@/components/environments.tsx";
import type { ClientView } from "@/trpc/types.ts";
import type { Field } from "../settings/field.ts";
import { shownValue } from "../settings/settings-view.tsx";
import styles from "./compare.module.css";
import { compareClients, placeOf } from "./comparison.ts";

/** The registrations of one client side by side. CO-23. */
export function ComparePanel({ clients, close }: { clients: readonly ClientView[]; close: () => void }) {
  const { differing, same, byDesign } = compareClients(clients);
  return (
    <Stack gap="xl">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            Compare environments
          </Title>
          <Text size="sm" c="dimmed">
            {clients.length < 2
              ? "The client is registered in one environment."
              : differing.length === 0
                ? "All settings that should be equal are."
                : `${differing.length === 1 ? "One setting differs" : `${differing.length} settings differ`}.`}
          </Text>
        </div>
        <Button variant="default" size="xs" onClick={close}>
          Back to overview
        </Button>
      </Group>
      {differing.length > 0 && <Rows title="Different" fields={differing} clients={clients} marked />}
      <Rows
        title="Different by design"
        text="Each environment has its own client ID, addresses and keys."
        fields={byDesign}
        clients={clients}
        ids
      />
      {same.length > 0 && <Rows title="The same" fields={same} clients={clients} />}
    </Stack>
  );
}

type RowsProps = {
  title: string;
  text?: string;
  fields: readonly Field[];
  clients: readonly ClientView[];
  /** Marks the rows as what to look at. */
  marked?: boolean;
  /** Begins with the client ids. */
  ids?: boolean;
};

function Rows({ title, text, fields, clients, marked = false, ids = false }: RowsProps) {
  const at = (environment: string) => clients.find((client) => client.environment === environment);
  return (
    <section>
      <Title order={3} size="h5">
        {title}
      </Title>
      {text && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can scroll, so keyboard users must be able to focus it */}
      <section className={styles["scroll"]} aria-label={`${title}, as a table`} tabIndex={0}>
        <table className={styles["table"]} aria-label={title} data-marked={marked}>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              {environmentNames.map((environment) => (
                <th key={environment} scope="col">
                  <EnvironmentDot environment={environment} filled={at(environment) !== undefined} />{" "}
                  {ENVIRONMENTS[environment].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ids && (
              <tr>
                <th scope="row">Client ID</th>
                {environmentNames.map((environment) => (
                  <td key={environment}>{at(environment)?.clientId ?? "Not registered"}</td>
                ))}
              </tr>
            )}
            {fields.map((field) => (
              <tr key={field.path}>
                <th scope="row">{field.label}</th>
                {environmentNames.map((environment) => {
                  const client = at(environment);
                  return <td key={environment}>{client ? shownValue(field, placeOf(client)) : "–"}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
