"use client";

import { Modal, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { TypeToConfirm } from "@/components/type-to-confirm.tsx";

type Props = {
  opened: boolean;
  close: () => void;
  title: string;
  text: string;
  action: string;
  /** Whether the act needs a reason. */
  required?: boolean;
  harmless?: boolean;
  /** What to type: for what can't be undone. CO-43. */
  expected?: string | undefined;
  /** Besides the reason. */
  children?: ReactNode;
  onConfirm: (reason: string | undefined) => void;
};

/** Asks for confirmation of what an admin does to a user, and for the reason, which the history shows. UM-04. */
export function ReasonModal({
  opened,
  close,
  title,
  text,
  action,
  required = false,
  harmless = false,
  expected,
  children,
  onConfirm,
}: Props) {
  const [reason, setReason] = useState("");
  const confirm = () => {
    const given = reason.trim();
    onConfirm(given === "" ? undefined : given);
    setReason("");
    close();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <TypeToConfirm
        expected={expected}
        action={action}
        color={harmless ? "indigo" : "red"}
        onConfirm={confirm}
        onCancel={close}
        pending={false}
        error={null}
      >
        <Text size="sm">{text}</Text>
        {children}
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
      </TypeToConfirm>
    </Modal>
  );
}
