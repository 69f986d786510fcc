"use client";

import { Button, Paper, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { ActionRow } from "@/components/action-row.tsx";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User } from "@/trpc/types.ts";
import { useUserChanged } from "./use-user-changed.ts";

/** Lets an admin revoke a user's tokens, and disable or enable the user. */
export function UserAccess({ user }: { user: User }) {
  const { can } = useMe();
  if (!can.manageUsers) return null;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Stack gap="lg">
        <RevokeTokens user={user} />
        <DisableUser user={user} />
      </Stack>
    </Paper>
  );
}

function RevokeTokens({ user: { id, name } }: { user: User }) {
  const trpc = useTRPC();
  const revoke = useMutation(
    trpc.users.revokeTokens.mutationOptions({
      onSuccess: () => notifications.show({ color: "teal", message: "All tokens revoked." }),
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: `Revoke all tokens of ${name}?`,
      children: (
        <Text size="sm">
          Every application loses access to this user’s account immediately, including the console. Their sessions stay active, and
          applications they approved can request access again.
        </Text>
      ),
      labels: { confirm: "Revoke all tokens", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => revoke.mutate({ id }),
    });
  return (
    <ActionRow title="Revoke all tokens" hint="Ends the access of every application immediately. Sessions stay active.">
      <Button variant="light" color="red" loading={revoke.isPending} onClick={ask}>
        Revoke tokens
      </Button>
    </ActionRow>
  );
}

/** Disables or enables the user. Admins cannot disable themselves. */
function DisableUser({ user: { id, name, disabledAt } }: { user: User }) {
  const { user: self } = useMe();
  const trpc = useTRPC();
  const changed = useUserChanged();
  const setDisabled = useMutation(trpc.users.setDisabled.mutationOptions({ onSuccess: changed }));
  const enabled = disabledAt === null;
  const ask = () =>
    modals.openConfirmModal({
      title: `Disable ${name}?`,
      children: <Text size="sm">They’re signed out everywhere immediately, and every application loses access to their account.</Text>,
      labels: { confirm: "Disable", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => setDisabled.mutate({ id, disabled: true }),
    });
  return (
    <ActionRow
      title={enabled ? "Disable this user" : "Enable this user"}
      hint={
        enabled
          ? "Ends their sessions and tokens immediately. You can enable them again at any time."
          : "They can sign in again. Earlier sessions and tokens stay revoked."
      }
    >
      <Permitted reason={id === self.id ? "You can’t disable yourself." : undefined}>
        <Button
          variant="light"
          color={enabled ? "red" : "indigo"}
          loading={setDisabled.isPending}
          onClick={enabled ? ask : () => setDisabled.mutate({ id, disabled: false })}
        >
          {enabled ? "Disable" : "Enable"}
        </Button>
      </Permitted>
    </ActionRow>
  );
}
