"use client";

import { Alert, Badge, Button, Group, NativeSelect, Paper, Stack, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { FormProblem } from "@/components/form-problem.tsx";
import { Instant } from "@/components/instant.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { FailedState, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemsOf } from "@/trpc/errors.ts";
import type { Role, User } from "@/trpc/types.ts";
import { Access } from "./access.tsx";
import { isHigher, isVouchedFor, ROLES, roles } from "./query.ts";
import { TakeOver } from "./take-over.tsx";
import { useUserChanged } from "./use-user-changed.ts";
import { UserSessions } from "./user-sessions.tsx";

/** One person: name, role, whether they may sign in, and where they are signed in. */
export function UserPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const user = useQuery(trpc.users.get.queryOptions({ id }));
  if (user.isPending) return <RowsSkeleton rows={2} height={180} />;
  if (user.data === undefined) return <FailedState error={user.error} retry={user.refetch} />;
  return <Loaded user={user.data} />;
}

function Loaded({ user }: { user: User }) {
  return (
    <>
      <PageHeader
        title={user.name}
        description={
          <>
            {user.email} · since <Instant at={user.createdAt} />
          </>
        }
        back={{ href: "/users", label: "All users" }}
        action={
          <Badge variant="light" color={ROLES[user.role].color} tt="none" size="lg">
            {ROLES[user.role].label}
          </Badge>
        }
      />
      <Stack gap="lg">
        {user.disabledAt !== null && (
          <Alert variant="light" color="red" title="This user is disabled">
            They cannot sign in, and their sessions and tokens have ended. Disabled on <Instant at={user.disabledAt} />.
          </Alert>
        )}
        {!isVouchedFor(user) && <TakeOver user={user} />}
        <Profile key={`${user.name} ${user.role}`} user={user} />
        <UserSessions userId={user.id} />
        <Access user={user} />
      </Stack>
    </>
  );
}

function Profile({ user }: { user: User }) {
  const { can } = useMe();
  const trpc = useTRPC();
  const changed = useUserChanged();
  const form = useForm({ initialValues: { name: user.name, role: user.role } });
  const update = useMutation(
    trpc.users.update.mutationOptions({
      meta: { shown: "in form" },
      async onSuccess() {
        notifications.show({ color: "teal", message: "Saved." });
        await changed();
      },
      onError: (error) => form.setErrors(problemsOf(error)),
    }),
  );
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <form onSubmit={form.onSubmit((values) => update.mutate({ id: user.id, ...values }))}>
        <Stack maw={420}>
          <Title order={2} size="h4">
            Profile
          </Title>
          <TextInput label="Name" required maxLength={100} disabled={!can.manageUsers} {...form.getInputProps("name")} />
          <NativeSelect
            label="Role"
            description={hintOf(form.values.role, user.role)}
            disabled={!can.manageUsers}
            data={roles.map((role) => ({ value: role, label: ROLES[role].label }))}
            {...form.getInputProps("role")}
          />
          <FormProblem error={update.error} shownAt={["name", "role"]} />
          {can.manageUsers && (
            <Group>
              <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

function hintOf(chosen: Role, current: Role): string {
  const { hint } = ROLES[chosen];
  return isHigher(chosen, current) ? `${hint}. Saving signs them out everywhere and ends their tokens.` : hint;
}
