import { CopyValue } from "@/components/copy-value.tsx";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { StatusDot } from "@/components/status-dot.tsx";
import { ManagedFact } from "@/features/configuration/managed/managed-fact.tsx";
import type { ClientView } from "@/trpc/types.ts";
import { CLIENT_TYPES } from "./client-types.ts";

/** One line about a client, under the application's name. */
export function ClientFacts({ client: { clientId, type, environment, enabled, managed } }: { client: ClientView }) {
  return (
    <>
      <CopyValue value={clientId} what="client ID" testId="client-id" />
      <span>{CLIENT_TYPES[type].label}</span>
      <span>{ENVIRONMENTS[environment].label}</span>
      <StatusDot tone={enabled ? "good" : "bad"}>{enabled ? "Enabled" : "Disabled"}</StatusDot>
      <ManagedFact managed={managed} />
    </>
  );
}
