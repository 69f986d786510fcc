"use client";

import { Alert, Anchor, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { FormError } from "@/components/form-error.tsx";
import { useMe } from "@/components/me.tsx";
import { Permitted } from "@/components/permitted.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import type { Managed, ManagedKind } from "@/trpc/types.ts";

const NOUN: Record<ManagedKind, string> = {
  resource: "API",
  application: "application",
  client: "client",
  webhook_endpoint: "endpoint",
  sign_in_provider: "provider",
};

export type LockProps = {
  kind: ManagedKind;
  id: string;
  managed: Managed;
  /** Why the user can't change the object, even if it is unlocked. */
  reason: string | undefined;
  /** Loads the object again. */
  changed: () => Promise<unknown>;
};

/** Says that a file locks the object, with the button that unlocks it, or that somebody unlocked it. CO-73. */
export function LockAlert(props: LockProps) {
  return props.managed.locked ? <Locked {...props} /> : <Unlocked {...props} />;
}

function Locked({ kind, id, managed, reason, changed }: LockProps) {
  const confirmed = useConfirmed();
  const [asking, dialog] = useDisclosure();
  const noun = NOUN[kind];
  return (
    <Alert variant="light" color="gray" icon={<IconLock aria-hidden="true" />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 18rem">
          <bdi>{managed.file}</bdi> manages this {noun} and locks it. Change the file and apply it, or unlock the {noun}{" "}
          to change it here.
        </Text>
        <Permitted reason={reason}>
          <Button variant="default" size="xs" onClick={() => confirmed(dialog.open)}>
            Unlock {noun}
          </Button>
        </Permitted>
      </Group>
      <Modal opened={asking} onClose={dialog.close} title={`Unlock this ${noun}?`}>
        <UnlockForm kind={kind} id={id} file={managed.file} changed={changed} close={dialog.close} />
      </Modal>
    </Alert>
  );
}

type FormProps = Pick<LockProps, "kind" | "id" | "changed"> & { file: string; close: () => void };

function UnlockForm({ kind, id, file, changed, close }: FormProps) {
  const trpc = useTRPC();
  const noun = NOUN[kind];
  const unlock = useMutation(
    trpc.configuration.unlock.mutationOptions({
      meta: { errorShownInForm: true },
      async onSuccess() {
        await changed();
        close();
      },
    }),
  );
  return (
    <Stack>
      <Text size="sm">
        You can then change it here. What you change shows as drift, and the next apply of <bdi>{file}</bdi> overwrites
        it and locks the {noun} again.
      </Text>
      <Text size="sm">To keep a change, make it in the file as well.</Text>
      <FormError error={unlock.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button loading={unlock.isPending} onClick={() => unlock.mutate({ kind, id })} data-autofocus>
          Unlock {noun}
        </Button>
      </Group>
    </Stack>
  );
}

function Unlocked({ kind, managed: { file, unlockedAt, unlockedBy } }: Pick<LockProps, "kind" | "managed">) {
  const { can } = useMe();
  return (
    <Alert variant="light" color="yellow" icon={<IconLockOpen aria-hidden="true" />}>
      <Text size="sm">
        Unlocked by <bdi>{unlockedBy}</bdi>, {unlockedAt !== null && <Timestamp at={unlockedAt} />}. The next apply of{" "}
        <bdi>{file}</bdi> overwrites what is changed here and locks the {NOUN[kind]} again.
        {can.manageUsers && (
          <>
            {" "}
            <Anchor component={Link} href="/settings/configuration" size="sm" underline="always">
              Show drift
            </Anchor>
          </>
        )}
      </Text>
    </Alert>
  );
}
