"use client";

import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConflictDialog } from "@/components/conflict.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useOpenedLate } from "@/components/use-opened-late.ts";
import { fieldWords } from "@/features/audit/words.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Application } from "@/trpc/types.ts";
import { useApplicationChanged } from "./use-application-changed.ts";

type Props = { application: Application; opened: boolean; close: () => void };

export function EditApplication({ application, opened, close }: Props) {
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title="Edit application">
      <EditForm application={application} close={close} />
    </Modal>
  );
}

function EditForm({ application, close }: Omit<Props, "opened">) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [read] = useState({
    name: application.name,
    description: application.description,
    version: application.version,
  });
  const { version: readVersion, ...base } = read;
  const form = useForm({ initialValues: base });
  const update = useMutation(
    trpc.applications.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        await changed();
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => update.mutate({ id: application.id, version: readVersion, ...values }))}>
      <Stack>
        <TextInput
          label="Name"
          description="Users see it on the consent page, and are asked for consent again when it changes."
          required
          maxLength={80}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Textarea label="Description" autosize minRows={2} maxLength={500} {...form.getInputProps("description")} />
        <FormError error={update.error} shownAt={["name", "description"]} />
        <ConflictDialog
          error={update.error}
          base={base}
          mine={form.values}
          labelOf={fieldWords}
          save={(values, version) => {
            form.setValues(values);
            update.mutate({ id: application.id, version, ...values });
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={update.isPending}>
            Save changes
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
