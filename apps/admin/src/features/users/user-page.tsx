"use client";

import { Alert, Button, Grid, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { ConflictDialog } from "@/components/conflict.tsx";
import { CopyValue } from "@/components/copy-value.tsx";
import { Fact } from "@/components/fact.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { isHigher, ROLES, RoleBadge, roleOptions } from "@/components/role-badge.tsx";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { useUnsaved } from "@/components/unsaved.tsx";
import { UserFailures } from "@/features/failures/user-failures.tsx";
import { UserSignIns } from "@/features/sign-ins/user-sign-ins.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { fieldErrorsOf } from "@/trpc/errors.ts";
import type { Role, User } from "@/trpc/types.ts";
import { ConnectedApps } from "./connected-apps.tsx";
import { InviteUser } from "./invite-user.tsx";
import { useUserChanged } from "./use-user-changed.ts";
import { UserAccess } from "./user-access.tsx";
import { UserHistory } from "./user-history.tsx";
import { UserSecurity } from "./user-security.tsx";
import { UserSessions } from "./user-sessions.tsx";
import { UserStatus } from "./user-status.tsx";

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
        action={
          <Group gap="md">
            <UserStatus user={user} />
            <RoleBadge role={user.role} size="lg" />
          </Group>
        }
      />
      <Stack gap="lg">
        {user.deleteAfter !== null && (
          <Alert variant="light" color="orange" title="This account is to be deleted">
            It’s deleted <Timestamp at={user.deleteAfter} />. Until then the user can restore it by signing in, and an
            admin below.
          </Alert>
        )}
        {user.disabledAt !== null && (
          <Alert variant="light" color="red" title="This user is disabled">
            Disabled on <Timestamp at={user.disabledAt} />. They can’t sign in, and their sessions and tokens are
            revoked.
          </Alert>
        )}
        {needsVerification(user) && <NotVerified user={user} />}
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack gap="lg">
              <ProfileForm key={user.id} user={user} />
              <UserSecurity userId={user.id} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="lg">
              <ConnectedApps userId={user.id} name={user.name} />
              <UserSignIns userId={user.id} />
              <UserFailures userId={user.id} />
              <UserSessions userId={user.id} />
              <UserHistory userId={user.id} />
              <UserAccess user={user} />
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}

function ProfileForm({ user }: { user: User }) {
  const { can, user: self } = useMe();
  const trpc = useTRPC();
  const changed = useUserChanged();
  const [read, setRead] = useState(profileOf(user));
  const form = useForm({ initialValues: read });
  useUnsaved(form.isDirty());
  function show(now: Profile): void {
    setRead(now);
    form.setInitialValues(now);
    form.setValues(now);
  }
  const showUnlessTyped = useEffectEvent((now: Profile) => {
    // What was typed stays; saving it then says who changed the user
    if (!form.isDirty() && !isSame(now, read)) show(now);
  });
  useEffect(() => showUnlessTyped(profileOf(user)), [user]);
  const update = useMutation(
    trpc.users.update.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess(saved) {
        show(profileOf(saved));
        toastChanged("Changes saved.");
        await changed();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const send = (now: Profile, from: Profile) =>
    update.mutate({
      id: user.id,
      read: from,
      ...(now.name !== from.name && { name: now.name }),
      ...(now.role !== from.role && { role: now.role }),
    });
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <form onSubmit={form.onSubmit((values) => send(values, read))}>
        <Stack maw={480}>
          <Title order={2} size="h4">
            Profile
          </Title>
          <TextInput label="Name" required maxLength={80} disabled={!can.manageUsers} {...form.getInputProps("name")} />
          <NativeSelect
            label="Role"
            description={
              user.id === self.id
                ? "You can’t change your own role. Ask another admin."
                : roleHint(form.values.role, user.role)
            }
            disabled={!can.manageUsers || user.id === self.id}
            data={roleOptions}
            {...form.getInputProps("role")}
          />
          <Fact label="User ID">
            <CopyValue value={user.id} what="user ID" testId="user-id" />
          </Fact>
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
      <ConflictDialog<Profile>
        error={update.error}
        base={read}
        mine={form.values}
        labelOf={(field) => (field === "role" ? "Role" : "Name")}
        save={(now, _version, theirs) => {
          form.setValues(now);
          send(now, { ...read, ...theirs });
        }}
      />
    </Paper>
  );
}

type Profile = Pick<User, "name" | "role">;
const profileOf = ({ name, role }: User): Profile => ({ name, role });
const isSame = (one: Profile, other: Profile) => one.name === other.name && one.role === other.role;

/**
 * Shown for a user who signed up and never verified the email: only the person who reads its mail can claim the
 * account. RG-05.
 */
function NotVerified({ user }: { user: User }) {
  const { can } = useMe();
  const confirmed = useConfirmed();
  const [inviting, dialog] = useDisclosure();
  return (
    <Alert variant="light" color="yellow" title="Email not verified">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">
          Someone signed up with this email and hasn’t verified that it belongs to them. Until then the account can only
          have the User role. An invitation lets the owner of the email take the account; everything that was in it is
          deleted then.
        </Text>
        {can.manageUsers && (
          <Button variant="default" size="xs" onClick={() => confirmed(dialog.open)}>
            Invite the owner
          </Button>
        )}
      </Stack>
      <InviteUser opened={inviting} close={dialog.close} email={user.email} />
    </Alert>
  );
}

/**
 * True for a user who signed up and has not verified the email. The server gives such an account no role above User.
 */
function needsVerification({ registeredBy, emailVerifiedAt }: User): boolean {
  return registeredBy !== "operator" && emailVerifiedAt === null;
}

function roleHint(chosen: Role, current: Role): string {
  const { hint } = ROLES[chosen];
  return isHigher(chosen, current)
    ? `${hint}. Saving this role signs the user out everywhere and revokes their tokens.`
    : `${hint}.`;
}
