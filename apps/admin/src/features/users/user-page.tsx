"use client";

import { Alert, Button, Group, NativeSelect, Paper, Stack, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { isHigher, ROLES, RoleBadge, roleOptions } from "@/components/role-badge.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Role, User } from "@/trpc/types.ts";
import { TakeOverUser } from "./take-over-user.tsx";
import { useUserChanged } from "./use-user-changed.ts";
import { UserAccess } from "./user-access.tsx";
import { UserSessions } from "./user-sessions.tsx";

/** One user: profile, role, sessions and access. */
export function UserPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const user = useQuery(trpc.users.get.queryOptions({ id }));
  if (user.isPending) return <RowsSkeleton rows={2} height={180} />;
  if (user.data === undefined) return <LoadError error={user.error} retry={user.refetch} />;
  return <Loaded user={user.data} />;
}

function Loaded({ user }: { user: User }) {
  return (
    <>
      <PageHeader
        title={user.name}
        description={
          <>
            {user.email} · Created <Timestamp at={user.createdAt} />
          </>
        }
        back={{ href: "/users", label: "All users" }}
        action={<RoleBadge role={user.role} size="lg" />}
      />
      <Stack gap="lg">
        {user.disabledAt !== null && (
          <Alert variant="light" color="red" title="This user is disabled">
            Disabled on <Timestamp at={user.disabledAt} />. They can’t sign in, and their sessions and tokens are revoked.
          </Alert>
        )}
        {needsVerification(user) && <TakeOverUser user={user} />}
        <Profile key={`${user.name} ${user.role}`} user={user} />
        <UserSessions userId={user.id} />
        <UserAccess user={user} />
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
      meta: { errorShownInForm: true },
      async onSuccess() {
        notifications.show({ color: "teal", message: "Changes saved." });
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
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
            description={roleHint(form.values.role, user.role)}
            disabled={!can.manageUsers}
            data={roleOptions}
            {...form.getInputProps("role")}
          />
          <FormError error={update.error} shownAt={["name", "role"]} />
          {can.manageUsers && (
            <Group>
              <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
                Save changes
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

/** True for a user who signed up and has not verified the email. The server gives such an account no role above User. */
function needsVerification({ registeredBy, emailVerifiedAt }: User): boolean {
  return registeredBy !== "operator" && emailVerifiedAt === null;
}

function roleHint(chosen: Role, current: Role): string {
  const { hint } = ROLES[chosen];
  return isHigher(chosen, current) ? `${hint}. Saving this role signs the user out everywhere and revokes their tokens.` : `${hint}.`;
}
