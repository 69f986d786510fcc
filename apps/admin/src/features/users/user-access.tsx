"use client";

import { Paper, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DangerZone } from "@/components/danger-zone.tsx";
import { useMe } from "@/components/me.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { User } from "@/trpc/types.ts";
import { DeleteUser } from "./delete-user.tsx";
import { DisableUser, RevokeTokens } from "./end-access.tsx";
import { RequirePassword, ResetSecondFactors, SendResetLink } from "./reset-sign-in.tsx";

/** What an admin can do to a user's account besides the profile. */
export function UserAccess({ user }: { user: User }) {
  const { can } = useMe();
  const trpc = useTRPC();
  const security = useQuery(trpc.users.security.queryOptions({ id: user.id }));
  if (!can.manageUsers) return null;
  return (
    <>
      <Paper withBorder p={{ base: "md", sm: "lg" }}>
        <Title order={2} size="h4" mb="md">
          Manage account
        </Title>
        <Stack gap="lg">
          <SendResetLink user={user} />
          <RequirePassword user={user} security={security.data} />
        </Stack>
      </Paper>
      <DangerZone>
        <ResetSecondFactors user={user} security={security.data} />
        <RevokeTokens user={user} />
        <DisableUser user={user} />
        <DeleteUser user={user} />
      </DangerZone>
    </>
  );
}
