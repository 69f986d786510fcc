"use client";

import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { FormError } from "./form-error.tsx";

type Props = {
  /** The text to type, such as the name of what is removed; undefined if the button alone confirms. */
  expected: string | undefined;
  /** Of the field; "Type … to confirm" if left out. */
  label?: string;
  /** Of the button: what it does, and to what. */
  action: string;
  onConfirm: () => void;
  onCancel: () => void;
  pending: boolean;
  /** There is nothing to do. */
  disabled?: boolean;
  error: unknown;
  /** Of the button. */
  color?: "red" | "indigo" | undefined;
  /** What happens, and the fields of the change. */
  children: ReactNode;
};

/**
 * The body of a dialog that confirms a change. What can't be undone, or reaches users in production, is typed first.
 * CO-43.
 */
export function TypeToConfirm({
  expected,
  label,
  action,
  onConfirm,
  onCancel,
  pending,
  disabled = false,
  error,
  color = "red",
  children,
}: Props) {
  const [typed, setTyped] = useState("");
  const confirmed = !disabled && (expected === undefined || typed.trim() === expected.trim());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (confirmed) onConfirm();
      }}
    >
      <Stack>
        {children}
        {expected !== undefined && (
          <TextInput
            label={label ?? `Type ${expected} to confirm`}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        <FormError error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color={color} loading={pending} disabled={!confirmed}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
