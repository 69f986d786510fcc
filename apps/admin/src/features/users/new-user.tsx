"use client";

import { Button, Checkbox, Group, Modal, NativeSelect, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FormProblem } from "@/components/form-problem.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemsOf } from "@/trpc/errors.ts";
import type { Role } from "@/trpc/types.ts";
import { ROLES, roles } from "./query.ts";

export function NewUser({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New user">
      <NewUserForm close={close} />
    </Modal>
  );
}

function NewUserForm({ close }: { close: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: "", email: "", password: "", role: "user" as Role, adopt: false } });
  const create = useMutation(
    trpc.users.create.mutationOptions({
      meta: { shown: "in form" },
      async onSuccess({ email }) {
        await queries.invalidateQueries(trpc.users.pathFilter());
        notifications.show({ color: "teal", message: `${email} can sign in now.` });
        close();
      },
      onError: (error) => form.setErrors(problemsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <TextInput label="Name" required maxLength={100} data-autofocus autoComplete="off" {...form.getInputProps("name")} />
        <TextInput label="E-mail" type="email" required maxLength={254} autoComplete="off" {...form.getInputProps("email")} />
        <PasswordInput
          label="Password"
          description="At least 10 characters. Hand it over safely."
          required
          minLength={10}
          maxLength={256}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <NativeSelect
          label="Role"
          description={ROLES[form.values.role].hint}
          data={roles.map((role) => ({ value: role, label: ROLES[role].label }))}
          {...form.getInputProps("role")}
        />
        <Checkbox
          label="Adopt the account if somebody signed up with this address"
          description="Only one that never verified the address. It is emptied first."
          {...form.getInputProps("adopt", { type: "checkbox" })}
        />
        <FormProblem error={create.error} shownAt={["name", "email", "password", "role"]} />
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
