"use client";

import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import { FormError } from "../form-error.tsx";
import { toastChanged } from "../toasts.tsx";
import { useOpenedLate } from "../use-opened-late.ts";

/** What belongs to a moment and not to a view. */
const MOMENTARY = ["cursor", "peek", "rerun"];

/** The filters of the URL, as a view keeps them. */
function currentQuery(): string {
  const query = new URLSearchParams(window.location.search);
  for (const name of MOMENTARY) query.delete(name);
  return query.toString();
}

/** Keeps the filters of the list that is open under a name. CO-81. */
export function SaveView({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={useOpenedLate(opened)} onClose={close} title="Save this view">
      <SaveForm close={close} />
    </Modal>
  );
}

function SaveForm({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const list = usePathname();
  const form = useForm({ initialValues: { name: "", shared: false } });
  const save = useMutation(
    trpc.savedViews.save.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(_, { name }) {
        await queries.invalidateQueries(trpc.savedViews.pathFilter());
        toastChanged(`View ${name} saved.`);
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate({ list, query: currentQuery(), ...values }))}>
      <Stack>
        <Text size="sm">
          Keeps the filters and the page size of this list, not its rows. It replaces your view of the same name.
        </Text>
        <TextInput
          label="Name"
          required
          maxLength={60}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Checkbox
          label="Share with everybody who can open the console"
          {...form.getInputProps("shared", { type: "checkbox" })}
        />
        <FormError error={save.error} shownAt={["name"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
