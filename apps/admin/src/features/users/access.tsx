"use client";

import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User } from "@/trpc/types.ts";
import { useUserChanged } from "./use-user-changed.ts";

/** Lets an admin revoke a person's tokens, and disable or enable the person. */
export function Access({ user }: { user: User }) {
  const { can } = useMe();
  if (!can.manageUsers) return null;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Stack>
        <RevokeTokens user={user} />
        <Switch user={user} />
      </Stack>
    </Paper>
  );
}

function Row({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Group justify="space-between">
      <div>
        <Text fw={500}>{title}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
      {children}
    </Group>
  );
}

function RevokeTokens({ user: { id, name } }: { user: User }) {
  const trpc = useTRPC();
  const revoke = useMutation(
    trpc.users.revokeTokens.mutationOptions({
      onSuccess: () => notifications.show({ color: "teal", message: `Every token of ${name} is revoked.` }),
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: `Revoke all tokens of ${name}?`,
      children: (
        <Text size="sm">
          Every application, ours included, loses its access on their behalf at once. They stay signed in here, and applications that they
          allowed can ask again.
        </Text>
      ),
      labels: { confirm: "Revoke all tokens", cancel: "Keep them" },
      confirmProps: { color: "red" },
      onConfirm: () => revoke.mutate({ id }),
    });
  return (
    <Row title="Revoke all tokens" hint="Ends the access of every application at once. Sessions stay.">
      <Button variant="light" color="red" loading={revoke.isPending} onClick={ask}>
        Revoke tokens
      </Button>
    </Row>
  );
}

/** Disables or enables the person. Admins cannot disable themselves. */
function Switch({ user: { id, name, disabledAt } }: { user: User }) {
  const { user: self } = useMe();
  const trpc = useTRPC();
  const changed = useUserChanged();
  const setDisabled = useMutation(trpc.users.setDisabled.mutationOptions({ onSuccess: changed }));
  const enabled = disabledAt === null;
  const ask = () =>
    modals.openConfirmModal({
      title: `Disable ${name}?`,
      children: <Text size="sm">They are signed out everywhere at once, and every application loses its access on their behalf.</Text>,
      labels: { confirm: "Disable", cancel: "Leave active" },
      confirmProps: { color: "red" },
      onConfirm: () => setDisabled.mutate({ id, disabled: true }),
    });
  return (
    <Row
      title={enabled ? "Disable this user" : "Enable this user"}
      hint={
        enabled
          ? "Ends their sessions and tokens at once. They can be enabled again, and then sign in again."
          : "They can sign in again; old sessions and tokens stay ended."
      }
    >
      <Permitted reason={id === self.id ? "You cannot disable yourself." : undefined}>
        <Button
          variant="light"
          color={enabled ? "red" : "indigo"}
          loading={setDisabled.isPending}
          onClick={enabled ? ask : () => setDisabled.mutate({ id, disabled: false })}
        >
          {enabled ? "Disable" : "Enable"}
        </Button>
      </Permitted>
    </Row>
  );
}
