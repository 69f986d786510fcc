"use client";

import { Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { LoadError, RowsSkeleton } from "@/components/state.tsx";
import { Term, Terms } from "@/components/terms.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { UserSecurity as Security } from "@/trpc/types.ts";

/** What a user signs in with. */
export function UserSecurity({ userId }: { userId: string }) {
  const trpc = useTRPC();
  const security = useQuery(trpc.users.security.queryOptions({ id: userId }));
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} size="h4" mb="sm">
        Sign-in methods
      </Title>
      {security.isPending && <RowsSkeleton rows={3} height={36} />}
      {security.isError && <LoadError error={security.error} retry={security.refetch} />}
      {security.data && <Methods security={security.data} />}
    </Paper>
  );
}

function Methods({ security }: { security: Security }) {
  const trpc = useTRPC();
  const providers = useQuery(trpc.signInProviders.list.queryOptions());
  const nameOf = (id: string) => providers.data?.find((provider) => provider.id === id)?.name ?? id;
  const { hasPassword, passwordSetAt, mustChangePassword, totp, recoveryCodes, passkeys, identities } = security;
  return (
    <Terms names="above">
      <Term name="Password">
        {!hasPassword && <None />}
        {hasPassword &&
          (passwordSetAt === null ? (
            "Set"
          ) : (
            <>
              Set <Timestamp at={passwordSetAt} />
            </>
          ))}
        {mustChangePassword && " · a new one is required with the next sign-in"}
      </Term>
      <Term name="Passkeys">
        {passkeys.length === 0 && <None />}
        <Stack gap={8}>
          {passkeys.map(({ name, createdAt, lastUsedAt }) => (
            <Used key={`${name} ${createdAt}`} name={name} at={lastUsedAt} />
          ))}
        </Stack>
      </Term>
      <Term name="Authenticator app">{totp ? <Used name="Set up" at={totp.lastUsedAt} /> : <None />}</Term>
      <Term name="Recovery codes">{recoveryCodes === 0 ? <None /> : `${recoveryCodes} left`}</Term>
      <Term name="Connected accounts">
        {identities.length === 0 && <None />}
        <Stack gap={8}>
          {identities.map(({ provider, email, createdAt, lastUsedAt }) => (
            <Used
              key={`${provider} ${createdAt}`}
              name={[nameOf(provider), email].filter(Boolean).join(" · ")}
              at={lastUsedAt}
            />
          ))}
        </Stack>
      </Term>
    </Terms>
  );
}

const None = () => (
  <Text span fz="inherit" c="dimmed">
    None
  </Text>
);

function Used({ name, at }: { name: string; at: number | null }) {
  return (
    <div>
      {name}
      <Text c="dimmed" fz="inherit">
        {at === null ? (
          "Not used yet"
        ) : (
          <>
            Last used <Timestamp at={at} />
          </>
        )}
      </Text>
    </div>
  );
}
