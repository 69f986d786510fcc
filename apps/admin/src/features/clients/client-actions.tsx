"use client";

import { Button, Group, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { ENVIRONMENTS, environmentNames, inPlace } from "@/components/environments.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useApplicationChanged } from "@/features/applications/use-application-changed.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientView, Environment } from "@/trpc/types.ts";
import { hasImpact, ImpactNote, useImpact } from "./impact.tsx";

type Props = {
  clients: readonly ClientView[];
  client: ClientView;
  /** Why the user can't change the client. */
  reason: string | undefined;
  promoteFrom: (environment: Environment) => void;
  compare: () => void;
};

/** What can be done to a client as a whole, short of removing it. */
export function ClientActions({ compare, ...props }: Props) {
  return (
    <Group gap="xs">
      {props.clients.length > 1 && <CompareButton compare={compare} />}
      <PromoteButton {...props} />
      <EnabledButton client={props.client} reason={props.reason} />
    </Group>
  );
}

export function CompareButton({ compare }: Pick<Props, "compare">) {
  return (
    <Button variant="default" size="xs" onClick={compare}>
      Compare
    </Button>
  );
}

/** Offers to promote from the nearest earlier environment that has the client. */
function PromoteButton({ clients, client, reason, promoteFrom }: Omit<Props, "compare">) {
  const earlier = environmentNames.slice(0, environmentNames.indexOf(client.environment)).reverse();
  const from = earlier.find((environment) => clients.some((candidate) => candidate.environment === environment));
  if (!from) return null;
  return (
    <Permitted reason={reason}>
      <Button variant="default" size="xs" onClick={() => promoteFrom(from)}>
        Promote from {ENVIRONMENTS[from].label.toLowerCase()}
      </Button>
    </Permitted>
  );
}

function EnabledButton({ client, reason }: { client: ClientView; reason: string | undefined }) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const [asking, dialog] = useDisclosure();
  const enable = useMutation(trpc.clients.setEnabled.mutationOptions({ onSuccess: changed }));
  const { clientId, enabled } = client;
  return (
    <>
      <Permitted reason={reason}>
        <Button
          size="xs"
          variant="default"
          loading={enable.isPending}
          onClick={enabled ? dialog.open : () => enable.mutate({ clientId, enabled: true })}
        >
          {enabled ? "Disable" : inPlace("Enable", client.environment)}
        </Button>
      </Permitted>
      <Modal opened={asking} onClose={dialog.close} title="Disable this client?">
        <DisableForm client={client} close={dialog.close} />
      </Modal>
    </>
  );
}

const DISABLE = { kind: "disable" } as const;

/** In production, a client that users have allowed is disabled only after its application's name is typed. CO-43. */
function DisableForm({
  client: { clientId, environment, applicationName },
  close,
}: {
  client: ClientView;
  close: () => void;
}) {
  const trpc = useTRPC();
  const changed = useApplicationChanged();
  const { data: impact } = useImpact(clientId, DISABLE);
  const disable = useMutation(
    trpc.clients.setEnabled.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        close();
        await changed();
      },
    }),
  );
  const production = environment === "production";
  return (
    <TypeToConfirm
      expected={production && hasImpact(impact) ? applicationName : undefined}
      action={production ? `Disable ${applicationName} in production` : "Disable"}
      onConfirm={() => disable.mutate({ clientId, enabled: false })}
      onCancel={close}
      pending={disable.isPending}
      error={disable.error}
    >
      <ImpactNote clientId={clientId} change={DISABLE} />
    </TypeToConfirm>
  );
}
