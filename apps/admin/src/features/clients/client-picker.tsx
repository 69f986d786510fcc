"use client";

import { Button, Group, Tabs } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconPlus } from "@tabler/icons-react";
import { EnvironmentDot, environmentNames } from "@/components/environments.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useCanChange } from "@/features/configuration/managed/lock-reason.ts";
import type { Application } from "@/trpc/types.ts";
import { clientNamesOf } from "./client-names.ts";

const AddClient = onDemand(() => import("./name-client.tsx").then((module) => module.AddClient));
const RenameClient = onDemand(() => import("./name-client.tsx").then((module) => module.RenameClient));

type PickerProps = { application: Application; selected: string; choose: (name: string) => void };

/**
 * The clients of an application that has several, such as Web, iOS and CLI, and a button that renames the selected one.
 */
export function ClientPicker({ application, selected, choose }: PickerProps) {
  const [renaming, dialog] = useDisclosure();
  const names = clientNamesOf(application, selected);
  const registered = application.clients.filter(({ name }) => name === selected);
  const inProduction = registered.some(({ environment }) => environment === "production");
  const locking = registered.find(({ managed }) => managed?.locked)?.managed ?? null;
  const mayRename = useCanChange(inProduction ? "production" : "development", locking);
  if (names.length < 2) return null;

  return (
    <Group justify="space-between" gap="sm" mt="md">
      <Tabs
        variant="pills"
        value={selected}
        onChange={(name) => name && choose(name)}
        keepMounted={false}
        classNames={{ tab: "chooser-tab" }}
      >
        <Tabs.List aria-label="Clients">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name} rightSection={<Dots application={application} name={name} />}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {!mayRename.hide && registered.length > 0 && (
        <Permitted reason={mayRename.reason}>
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPencil size={14} aria-hidden="true" />}
            onClick={dialog.open}
          >
            Rename client
          </Button>
        </Permitted>
      )}
      <RenameClient application={application} name={selected} choose={choose} opened={renaming} close={dialog.close} />
    </Group>
  );
}

/** Adds a client of a new name, which `choose` then shows. */
export function AddClientButton({ application, selected, choose }: PickerProps) {
  const [adding, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={dialog.open}>
        Add client
      </Button>
      <AddClient names={clientNamesOf(application, selected)} choose={choose} opened={adding} close={dialog.close} />
    </>
  );
}

function Dots({ application, name }: { application: Application; name: string }) {
  const isRegistered = (environment: string) =>
    application.clients.some((client) => client.name === name && client.environment === environment);
  return (
    <Group gap={3} component="span" wrap="nowrap">
      {environmentNames.filter(isRegistered).map((environment) => (
        <EnvironmentDot key={environment} environment={environment} />
      ))}
    </Group>
  );
}
