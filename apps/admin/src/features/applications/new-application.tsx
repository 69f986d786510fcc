"use client";

import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { FormError } from "@/components/form-error.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";

export function NewApplication({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New application">
      <NewApplicationForm close={close} />
    </Modal>
  );
}

function NewApplicationForm({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const form = useForm({ initialValues: { name: "", description: "" } });
  const create = useMutation(
    trpc.applications.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ id }) {
        await queries.invalidateQueries(trpc.applications.list.infiniteQueryFilter());
        router.push(`/applications/${id}`);
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <TextInput
          label="Name"
          description="Users see this name on the consent page."
          required
          maxLength={80}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Textarea
          label="Description"
          description="Only your team sees this."
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps("description")}
        />
        <FormError error={create.error} shownAt={["name", "description"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create application
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
