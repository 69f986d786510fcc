"use client";

import { Button, Modal, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { ActionRow } from "./action-row.tsx";
import { useConfirmed } from "./confirm-identity.tsx";
import { Permitted } from "./permitted.tsx";
import { TypeToConfirm } from "./type-to-confirm.tsx";

/** The foot of an object's page: what ends it, or takes access away. CO-43. */
export function DangerZone({ children }: { children: ReactNode }) {
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-labelledby="danger-zone">
      <Title order={2} size="h4" mb="md" id="danger-zone">
        Danger zone
      </Title>
      <Stack gap="lg">{children}</Stack>
    </Paper>
  );
}

type Props = {
  title: string;
  hint: string;
  /** Of the button that opens the dialog. */
  button: string;
  /** Why the user can't do it. */
  reason?: string | undefined;
  /** Asks for a sign-in first, if the last one is too long ago. CO-88. */
  fresh?: boolean;
  /** The title of the dialog. */
  question: string;
  /** What to type; undefined for what can be undone and takes nothing from users in production. */
  expected: string | undefined;
  /** Of the button that does it: what it does, and to what. */
  action: string;
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  /** `close` closes the dialog. */
  act: (close: () => void) => void;
  /** What happens, in the dialog. */
  children: ReactNode;
};

/**
 * One act of a danger zone: what it does, its button, and the dialog that says who is affected and asks for the name.
 * CO-43.
 */
export function DangerAction({
  title,
  hint,
  button,
  reason,
  fresh = false,
  question,
  mutation,
  act,
  children,
  ...confirmation
}: Props) {
  const [asking, dialog] = useDisclosure();
  const confirmed = useConfirmed();
  const ask = () => {
    mutation.reset();
    dialog.open();
  };
  return (
    <ActionRow title={title} hint={hint}>
      <Permitted reason={reason}>
        <Button color="red" variant="light" onClick={fresh ? () => confirmed(ask) : ask}>
          {button}
        </Button>
      </Permitted>
      <Modal opened={asking} onClose={dialog.close} title={<bdi>{question}</bdi>}>
        <TypeToConfirm
          {...confirmation}
          onConfirm={() => act(dialog.close)}
          onCancel={dialog.close}
          pending={mutation.isPending}
          error={mutation.error}
        >
          {typeof children === "string" ? <Text size="sm">{children}</Text> : children}
        </TypeToConfirm>
      </Modal>
    </ActionRow>
  );
}
