"use client";

import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";

type Props = {
  opened: boolean;
  close: () => void;
  title: string;
  text: string;
  action: string;
  /** Whether the act needs a reason. */
  required?: boolean;
  harmless?: boolean;
  onConfirm: (reason: string | undefined) => void;
};

/** Asks for confirmation of what an admin does to a user, and for the reason, which the history shows. UM-04. */
export function ReasonModal({ opened, close, title, text, action, required = false, harmless = false, onConfirm }: Props) {
  const [reason, setReason] = useState("");
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    const given = reason.trim();
    onConfirm(given === "" ? undefined : given);
    setReason("");
    close();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={confirm}>
        <Stack>
          <Text size="sm">{text}</Text>
          <TextInput
            label="Reason"
            description="Shown in the user’s history."
            required={required}
            minLength={required ? 3 : undefined}
            maxLength={300}
            autoComplete="off"
            data-autofocus
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color={harmless ? "indigo" : "red"}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
