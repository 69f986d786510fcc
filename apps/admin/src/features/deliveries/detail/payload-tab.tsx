"use client";

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CodePanel } from "@/components/code/code-panel.tsx";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { DeletePayload } from "./delete-payload.tsx";

/** The request body: in production with its values masked until an admin reveals it. CO-02, CO-56. */
export function PayloadTab({ delivery }: { delivery: Delivery }) {
  const { view, content, truncated, canReveal, deleted } = delivery.payload;
  const trpc = useTRPC();
  const confirmed = useConfirmed();
  const reveal = useMutation(trpc.deliveries.reveal.mutationOptions({ gcTime: 0 }));
  const shown = reveal.data ?? content;

  if (view === "hidden") return <Note>Your role can’t see payloads. Ask an admin for the developer role.</Note>;
  if (view === "removed") return <Deleted by={deleted} />;
  return (
    <>
      {truncated && (
        <Alert variant="light" color="yellow" mb="sm">
          This payload is incomplete. Gatehouse keeps only the beginning of a rejected body.
        </Alert>
      )}
      {view === "masked" && (
        <MaskedBar
          revealed={reveal.data !== undefined}
          canReveal={canReveal}
          pending={reveal.isPending}
          reveal={() => confirmed(() => reveal.mutate({ id: delivery.id }))}
          hide={reveal.reset}
        >
          <DeletePayload delivery={delivery} />
        </MaskedBar>
      )}
      {view === "shown" && (
        <Group justify="flex-end" mb="sm">
          <DeletePayload delivery={delivery} />
        </Group>
      )}
      {shown?.encoding === "base64" && (
        <Text size="sm" c="dimmed" mb="xs">
          The payload is not text. It is shown as base64.
        </Text>
      )}
      {shown === null ? (
        <Note>This payload has no JSON whose values could be masked.</Note>
      ) : shown.text === "" ? (
        <Note>The payload is empty.</Note>
      ) : (
        <CodePanel
          key={String(reveal.data === undefined)}
          what="payload"
          text={shown.text}
          copyable={view === "shown" || reveal.data !== undefined}
        />
      )}
    </>
  );
}

/** By whom the payload was deleted; null by its age. CO-53. */
function Deleted({ by }: { by: Delivery["payload"]["deleted"] }) {
  if (by === null)
    return (
      <Note>The payload was deleted because of its age. Everything else about this delivery is kept for longer.</Note>
    );
  return (
    <Note>
      <bdi>{by.by}</bdi> deleted the payload on <Timestamp at={by.at} seconds />. Everything else about this delivery is
      kept, but its handlers can’t run again.
    </Note>
  );
}

type MaskedBarProps = {
  revealed: boolean;
  canReveal: boolean;
  pending: boolean;
  reveal: () => void;
  hide: () => void;
  children: ReactNode;
};

/** Why values are masked, and what can be done; `children` are further buttons. */
function MaskedBar({ revealed, canReveal, pending, reveal, hide, children }: MaskedBarProps) {
  return (
    <Group justify="space-between" mb="sm" gap="sm">
      <Text size="sm" c="dimmed" role="status" style={{ flex: "1 1 16rem" }}>
        {revealed
          ? "Revealed. The audit log names you."
          : canReveal
            ? "Values are masked because this is production. Revealing them leaves an entry in the audit log."
            : "Values are masked because this is production. Only admins can reveal them."}
      </Text>
      {canReveal &&
        (revealed ? (
          <Button size="xs" variant="default" leftSection={<IconEyeOff size={14} aria-hidden="true" />} onClick={hide}>
            Hide payload
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconEye size={14} aria-hidden="true" />}
            loading={pending}
            onClick={reveal}
          >
            Reveal payload
          </Button>
        ))}
      {children}
    </Group>
  );
}

/** Says why there is nothing to show. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" className="note">
      {children}
    </Text>
  );
}
