"use client";

import { Alert, Button, Group, Modal, NativeSelect, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { ROLES, roleOptions } from "@/components/role-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { User } from "@/trpc/types.ts";
import { useUserChanged } from "./use-user-changed.ts";

/** Shown for a user who signed up and never verified the email. Lets an admin reset the account and take it over. */
export function TakeOverUser({ user }: { user: User }) {
  const { can } = useMe();
  const [opened, dialog] = useDisclosure();
  return (
    <Alert variant="light" color="yellow" title="Email not verified">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">
          Someone signed up with this email and hasn’t verified that it belongs to them. Until then the account can only have the User role.
        </Text>
        {can.manageUsers && (
          <Button variant="default" size="xs" onClick={dialog.open}>
            Take over account
          </Button>
        )}
      </Stack>
      <Modal opened={opened} onClose={dialog.close} title={`Take over ${user.email}?`}>
        <TakeOverUserForm user={user} close={dialog.close} />
      </Modal>
    </Alert>
  );
}

function TakeOverUserForm({ user, close }: { user: User; close: () => void }) {
  const trpc = useTRPC();
  const changed = useUserChanged();
  const form = useForm({ initialValues: { name: user.name, password: "", role: user.role } });
  const create = useMutation(
    trpc.users.create.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess({ email }) {
        await changed();
        notifications.show({ color: "teal", message: `Account taken over. ${email} can sign in with the new password.` });
        close();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate({ ...values, email: user.email, adopt: true }))}>
      <Stack>
        <Text size="sm">
          This resets the account first: it ends all sessions, replaces the password and revokes the access of every application.
        </Text>
        <TextInput label="Name" required maxLength={100} autoComplete="off" {...form.getInputProps("name")} />
        <PasswordInput
          label="New password"
          description="At least 10 characters. Share it with the user through a secure channel."
          required
          minLength={10}
          maxLength={256}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <NativeSelect label="Role" description={ROLES[form.values.role].hint} data={roleOptions} {...form.getInputProps("role")} />
        <FormError error={create.error} shownAt={["name", "password", "role"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={create.isPending}>
            Reset and take over
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
