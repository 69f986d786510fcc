"use client";

import { Button, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { toastChanged } from "@/components/toasts.tsx";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { ApiToken } from "@/trpc/types.ts";

/** Ends a token. A used one asks for its name first, because whatever uses it stops. CO-43, CO-70. */
export function RevokeApiToken({ token: { id, name, lastUsedAt } }: { token: ApiToken }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const [asking, dialog] = useDisclosure();
  const revoke = useMutation(
    trpc.apiTokens.revoke.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        dialog.close();
        toastChanged(`API token ${name} revoked.`);
        await queries.invalidateQueries({ queryKey: trpc.apiTokens.list.queryKey() });
      },
    }),
  );
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        onClick={() => confirmed(dialog.open)}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </Button>
      <Modal opened={asking} onClose={dialog.close} title={`Revoke ${name}?`}>
        <TypeToConfirm
          expected={lastUsedAt === null ? undefined : name}
          action="Revoke token"
          onConfirm={() => revoke.mutate({ id })}
          onCancel={dialog.close}
          pending={revoke.isPending}
          error={revoke.error}
        >
          <Text size="sm">
            Whatever uses it is refused at once. This can’t be undone.{" "}
            {lastUsedAt === null ? (
              "It was never used."
            ) : (
              <>
                It was last used <Timestamp at={lastUsedAt} />.
              </>
            )}
          </Text>
        </TypeToConfirm>
      </Modal>
    </>
  );
}
