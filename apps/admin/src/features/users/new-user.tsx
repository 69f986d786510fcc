"use client";

import { Button, Checkbox, Group, Modal, NativeSelect, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { ROLES, roleOptions } from "@/components/role-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Role } from "@/trpc/types.ts";

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
      meta: { errorShownInForm: true },
      async onSuccess({ email }) {
        await queries.invalidateQueries(trpc.users.pathFilter());
        notifications.show({ color: "teal", message: `User created. ${email} can sign in now.` });
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <TextInput label="Name" required maxLength={100} data-autofocus autoComplete="off" {...form.getInputProps("name")} />
        <TextInput label="Email" type="email" required maxLength={254} autoComplete="off" {...form.getInputProps("email")} />
        <PasswordInput
          label="Password"
          description="At least 10 characters. Share it with the user through a secure channel."
          required
          minLength={10}
          maxLength={256}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <NativeSelect label="Role" description={ROLES[form.values.role].hint} data={roleOptions} {...form.getInputProps("role")} />
        <Checkbox
          label="Take over an unverified account"
          description="If someone signed up with this email but never verified it, reset that account and use it."
          {...form.getInputProps("adopt", { type: "checkbox" })}
        />
        <FormError error={create.error} shownAt={["name", "email", "password", "role"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create user
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
