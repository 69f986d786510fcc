import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** The state of a secret in a word, with its evidence below. CO-32. */
export function SecretVerdict({ word, color, evidence }: { word: string; color?: string; evidence?: ReactNode }) {
  return (
    <>
      <Text size="sm" fw={550} {...(color !== undefined && { c: color })}>
        {word}
      </Text>
      {evidence && (
        <Text size="xs" c="dimmed">
          {evidence}
        </Text>
      )}
    </>
  );
}
