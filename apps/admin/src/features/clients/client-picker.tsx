"use client";

import { Button, Group, Modal, Stack, Tabs, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { EnvironmentDot, environmentNames } from "@/components/environments.tsx";
import { FormError } from "@/components/form-error.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useCanChange } from "@/features/managed/lock-reason.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Application } from "@/trpc/types.ts";

const MAX_NAME = 40;

/** The names of the application's clients, and `added` if it is not registered yet. */
export function clientNamesOf({ clients }: Application, added?: string): string[] {
  const names = [...new Set(clients.map(({ name }) => name))];
  return added === undefined || names.includes(added) ? names : [...names, added];
}

type PickerProps = { application: Application; selected: string; choose: (name: string) => void };

/** The clients of an application that has several, such as Web, iOS and CLI, and a button that renames the selected one. */
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
          <Button size="xs" variant="subtle" leftSection={<IconPencil size={14} aria-hidden="true" />} onClick={dialog.open}>
            Rename client
          </Button>
        </Permitted>
      )}
      <Modal opened={renaming} onClose={dialog.close} title={`Rename ${selected}`}>
        <RenameClient application={application} name={selected} choose={choose} close={dialog.close} />
      </Modal>
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
      <Modal opened={adding} onClose={dialog.close} title="Add a client">
        <AddClient names={clientNamesOf(application, selected)} choose={choose} close={dialog.close} />
      </Modal>
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

const checkName = (names: readonly string[]) => (value: string) => {
  if (value.trim() === "") return "Enter a name, such as Web or iOS.";
  return names.includes(value.trim()) ? `The application already has a client ${value.trim()}.` : null;
};

/** Names the client; it exists once it is registered in an environment. */
function AddClient({ names, choose, close }: { names: readonly string[]; choose: PickerProps["choose"]; close: () => void }) {
  const form = useForm({ initialValues: { name: "" }, validate: { name: checkName(names) } });
  return (
    <form
      onSubmit={form.onSubmit(({ name }) => {
        close();
        choose(name.trim());
      })}
    >
      <Stack>
        <TextInput
          label="Name"
          description="For your team: users see the application’s name. Give each program a client of its own, such as Web, iOS or CLI."
          required
          maxLength={MAX_NAME}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">Continue</Button>
        </Group>
      </Stack>
    </form>
  );
}

function RenameClient({
  application,
  name,
  choose,
  close,
}: {
  application: Application;
  name: string;
  choose: PickerProps["choose"];
  close: () => void;
}) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const others = clientNamesOf(application).filter((other) => other !== name);
  const form = useForm({ initialValues: { newName: name }, validate: { newName: checkName(others) } });
  const rename = useMutation(
    trpc.clients.rename.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(_, { newName }) {
        choose(newName);
        await changed();
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit(({ newName }) => rename.mutate({ applicationId: application.id, name, newName: newName.trim() }))}>
      <Stack>
        <TextInput
          label="Name"
          description="In every environment. Client IDs and secrets stay as they are."
          required
          maxLength={MAX_NAME}
          data-autofocus
          {...form.getInputProps("newName")}
        />
        <FormError error={rename.error} shownAt={["newName"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
