"use client";

import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { FormProblem } from "@/components/form-problem.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemsOf } from "@/trpc/errors.ts";

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
      meta: { shown: "in form" },
      async onSuccess({ id }) {
        await queries.invalidateQueries(trpc.applications.list.infiniteQueryFilter());
        router.push(`/applications/${id}`);
        close();
      },
      onError: (error) => form.setErrors(problemsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <TextInput
          label="Name"
          description="Users read it when they allow access."
          required
          maxLength={80}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Textarea
          label="Description"
          description="For your team."
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps("description")}
        />
        <FormProblem error={create.error} shownAt={["name", "description"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
