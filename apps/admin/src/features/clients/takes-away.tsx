"use client";

import { Alert, Stack, Text } from "@mantine/core";
import type { ClientChange } from "@/trpc/types.ts";
import { ImpactNote } from "./impact.tsx";

const TITLES: Record<ClientChange["kind"], string> = {
  redirect_uris: "Removed redirect URIs",
  grant_types: "Removed grant types",
  scopes: "Removed scopes",
  resources: "Removed APIs",
  lifetimes: "Lifetimes",
  disable: "Disabled",
  remove: "Removed",
  retire_secret: "Retired secret",
};

/** Before a save: who is affected by what it takes away. Nothing if it takes nothing away. CO-37. */
export function TakesAway({ clientId, changes }: { clientId: string; changes: readonly ClientChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Alert variant="light" color="yellow" title="What this takes away" mt="lg">
      <Stack gap="md">
        {changes.map((change) => (
          <div key={change.kind}>
            <Text size="sm" fw={500}>
              {TITLES[change.kind]}
            </Text>
            <ImpactNote clientId={clientId} change={change} />
          </div>
        ))}
      </Stack>
    </Alert>
  );
}
