"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { Permitted } from "@/components/permitted.tsx";
import type { Delivery } from "@/trpc/types.ts";

const DeleteDialog = onDemand(() => import("./delete-payload-dialog.tsx").then((module) => module.DeletePayloadDialog));

/** Deletes the stored payload for good. What a role may never do is not drawn. CO-02, CO-53. */
export function DeletePayload({ delivery }: { delivery: Delivery }) {
  const { allowed, reason } = delivery.payload.deletion;
  const [opened, dialog] = useDisclosure();
  const confirmed = useConfirmed();
  if (!allowed && reason === null) return null;
  return (
    <>
      <Permitted reason={reason ?? undefined}>
        <Button
          size="xs"
          variant="default"
          c="red"
          leftSection={<IconTrash size={14} aria-hidden="true" />}
          onClick={() => confirmed(dialog.open)}
        >
          Delete payload
        </Button>
      </Permitted>
      <DeleteDialog delivery={delivery} opened={opened} close={dialog.close} />
    </>
  );
}
