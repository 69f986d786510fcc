"use client";

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Application } from "@/trpc/types.ts";
import { clientNamesOf } from "./client-names.ts";

const MAX_NAME = 40;

const checkName = (names: readonly string[]) => (value: string) => {
  if (value.trim() === "") return "Enter a name, such as Web or iOS.";
  return names.includes(value.trim()) ? `The application already has a client ${value.trim()}.` : null;
};

type AddProps = { names: readonly string[]; choose: (name: string) => void; close: () => void };

/** Names a client; it exists once it is registered in an environment. */
export function AddClient({ opened, ...props }: AddProps & { opened: boolean }) {
  return (
    <Modal opened={useOpenedLate(opened)} onClose={props.close} title="Add a client">
      <AddForm {...props} />
    </Modal>
  );
}

function AddForm({ names, choose, close }: AddProps) {
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

type RenameProps = { application: Application; name: string; choose: (name: string) => void; close: () => void };

/** Renames the client in every environment. */
export function RenameClient({ opened, ...props }: RenameProps & { opened: boolean }) {
  return (
    <Modal opened={useOpenedLate(opened)} onClose={props.close} title={`Rename ${props.name}`}>
      <RenameForm {...props} />
    </Modal>
  );
}

function RenameForm({ application, name, choose, close }: RenameProps) {
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
    <form
      onSubmit={form.onSubmit(({ newName }) =>
        rename.mutate({ applicationId: application.id, name, newName: newName.trim() }),
      )}
    >
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
