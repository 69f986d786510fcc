"use client";

import { Alert, Badge, Button, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FormProblem } from "../shell/form-problem.tsx";
import { Instant } from "../shell/instant.tsx";
import { useMe } from "../shell/me.tsx";
import { PageHeader } from "../shell/page-header.tsx";
import { Permitted } from "../shell/permitted.tsx";
import { FailedState, RowsSkeleton } from "../shell/state.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { problemsOf } from "../trpc/errors.ts";
import type { User } from "../trpc/types.ts";
import { ROLES, roles } from "./query.ts";
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
            They cannot sign in, and every token issued for them is refused. Disabled on <Instant at={user.disabledAt} />.
          </Alert>
        )}
        <Profile key={`${user.name} ${user.role}`} user={user} />
        <UserSessions userId={user.id} />
        <Access user={user} />
      </Stack>
    </>
  );
}

function useUserChanged() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => Promise.all([queries.invalidateQueries(trpc.users.pathFilter()), queries.invalidateQueries(trpc.sessions.pathFilter())]);
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
            description={ROLES[form.values.role].hint}
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

/** Switches a person off and on. Nobody switches off themselves. */
function Access({ user }: { user: User }) {
  const { can, user: self } = useMe();
  const trpc = useTRPC();
  const changed = useUserChanged();
  const setDisabled = useMutation(trpc.users.setDisabled.mutationOptions({ onSuccess: changed }));
  if (!can.manageUsers) return null;
  const { id, disabledAt } = user;
  const ask = () =>
    modals.openConfirmModal({
      title: `Disable ${user.name}?`,
      children: <Text size="sm">They are signed out everywhere at once, and every application loses its access on their behalf.</Text>,
      labels: { confirm: "Disable", cancel: "Leave active" },
      confirmProps: { color: "red" },
      onConfirm: () => setDisabled.mutate({ id, disabled: true }),
    });
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Group justify="space-between">
        <div>
          <Text fw={500}>{disabledAt === null ? "Disable this user" : "Enable this user"}</Text>
          <Text size="sm" c="dimmed">
            {disabledAt === null
              ? "Ends their sessions and tokens at once. It can be undone."
              : "They can sign in again; old tokens stay dead."}
          </Text>
        </div>
        <Permitted reason={id === self.id ? "You cannot disable yourself." : undefined}>
          <Button
            variant="light"
            color={disabledAt === null ? "red" : "indigo"}
            loading={setDisabled.isPending}
            onClick={disabledAt === null ? ask : () => setDisabled.mutate({ id, disabled: false })}
          >
            {disabledAt === null ? "Disable" : "Enable"}
          </Button>
        </Permitted>
      </Group>
    </Paper>
  );
}
