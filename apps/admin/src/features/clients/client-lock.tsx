"use client";

import { useCanManage } from "@/components/me.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { LockNote } from "@/features/configuration/managed/lock-note.tsx";
import type { ClientView } from "@/trpc/types.ts";

/** Says that a file locks the client, to those who could change it otherwise. CO-73. */
export function ClientLock({ client: { clientId, environment, managed } }: { client: ClientView }) {
  const { hide, reason } = useCanManage(environment);
  const changed = useApplicationChanged();
  return hide ? null : <LockNote kind="client" id={clientId} managed={managed} reason={reason} changed={changed} />;
}
