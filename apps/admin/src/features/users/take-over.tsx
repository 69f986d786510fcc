"use client";

import { Alert, Button, Group, Modal, NativeSelect, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { FormProblem } from "@/components/form-problem.tsx";
import { useMe } from "@/components/me.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemsOf } from "@/trpc/errors.ts";
import type { User } from "@/trpc/types.ts";
import { ROLES, roles } from "./query.ts";
import { useUserChanged } from "./use-user-changed.ts";

/** Shown for a person who signed up and never verified the address. Lets an admin empty the account and take it over. */
export function TakeOver({ user }: { user: User }) {
  const { can } = useMe();
  const [opened, dialog] = useDisclosure();
  return (
    <Alert variant="light" color="yellow" title="Signed up, address not verified">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">
          Somebody signed up with this address themselves. Nobody has verified that it is theirs, so the account can have no role above
          User.
        </Text>
        {can.manageUsers && (
          <Button variant="default" size="xs" onClick={dialog.open}>
            Take over
          </Button>
        )}
      </Stack>
      <Modal opened={opened} onClose={dialog.close} title={`Take over ${user.email}`}>
        <TakeOverForm user={user} close={dialog.close} />
      </Modal>
    </Alert>
  );
}

function TakeOverForm({ user, close }: { user: User; close: () => void }) {
  const trpc = useTRPC();
  const changed = useUserChanged();
  const form = useForm({ initialValues: { name: user.name, password: "", role: user.role } });
  const create = useMutation(
    trpc.users.create.mutationOptions({
      meta: { shown: "in form" },
      async onSuccess({ email }) {
        await changed();
        notifications.show({ color: "teal", message: `${email} can sign in with the new password.` });
        close();
      },
      onError: (error) => form.setErrors(problemsOf(error)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate({ ...values, email: user.email, adopt: true }))}>
      <Stack>
        <Text size="sm">The account is emptied first: its sessions, its password, and the access of every application end.</Text>
        <TextInput label="Name" required maxLength={100} autoComplete="off" {...form.getInputProps("name")} />
        <PasswordInput
          label="New password"
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
        <FormProblem error={create.error} shownAt={["name", "password", "role"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={create.isPending}>
            Empty and take over
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
