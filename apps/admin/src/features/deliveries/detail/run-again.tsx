"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { FormError } from "@/components/form-error.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Delivery } from "@/trpc/types.ts";
import { RerunResult } from "./rerun-result.tsx";

/** Runs the event's handlers and its forwarding again, after saying what that does; the result appears in the same dialog. CO-56. */
export function RunAgain({ delivery }: { delivery: Delivery }) {
  const { id, environment, rerun } = delivery;
  const trpc = useTRPC();
  const confirmed = useConfirmed();
  const [opened, dialog] = useDisclosure();
  const run = useMutation(trpc.deliveries.rerun.mutationOptions({ meta: { errorShownInForm: true } }));
  const where = environment === "production" ? " in production" : "";

  return (
    <>
      <Permitted reason={rerun.reason ?? undefined}>
        <Button
          size="sm"
          leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
          onClick={() => confirmed(dialog.open)}
        >
          Run again{where}
        </Button>
      </Permitted>
      <Modal
        opened={opened}
        onClose={dialog.close}
        onExitTransitionEnd={run.reset}
        title={`Run again${where}`}
        size="md"
      >
        <Stack gap="sm">
          {run.data === undefined ? (
            <>
              <Text size="sm">
                Runs every handler of this event once more with the stored payload, and sends it to your product again
                if its endpoint forwards. The provider isn’t contacted. Effects that a handler guards with{" "}
                <code>ctx.once</code> don’t happen a second time; everything else does.
              </Text>
              <Text size="sm">The attempts are marked “Run again” with your name, and the audit log records it.</Text>
              <FormError error={run.error} />
            </>
          ) : (
            <RerunResult rerunId={run.data.rerunId} deliveryId={id} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close}>
              {run.data === undefined ? "Cancel" : "Close"}
            </Button>
            {run.data === undefined && (
              <Button loading={run.isPending} onClick={() => run.mutate({ id })} data-autofocus>
                Run handlers{where}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
