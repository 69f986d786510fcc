"use client";

import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import type { ClientType, Environment } from "@/trpc/types.ts";
import { UriAdvice } from "./uri-advice.tsx";

/** The server's limit. RU-12. */
const MAX_ROWS = 100;

type Props = {
  /** The accessible name of a row: "Redirect URI", then "Redirect URI 2". */
  label: string;
  legend: string;
  description: ReactNode;
  addLabel: string;
  placeholder: string;
  values: string[];
  onChange: (values: string[]) => void;
  /** The server's error for a row. */
  errorOf: (row: number) => ReactNode;
  /** Validates each row while the user types. */
  check?: { type: ClientType; environment: Environment };
};

/** A list of URIs, one per row. */
export function UriRows({
  label,
  legend,
  description,
  addLabel,
  placeholder,
  values,
  onChange,
  errorOf,
  check,
}: Props) {
  const replace = (row: number, value: string) => onChange(values.map((old, index) => (index === row ? value : old)));
  return (
    <Stack gap="xs">
      <div>
        <Text fw={500} size="sm">
          {legend}
        </Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </div>
      {values.map((value, row) => (
        <Group key={row} gap="xs" wrap="nowrap" align="flex-start">
          <UriRow
            label={row === 0 ? label : `${label} ${row + 1}`}
            value={value}
            placeholder={placeholder}
            onChange={(changed) => replace(row, changed)}
            error={errorOf(row)}
            check={check}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove ${label} ${row + 1}`}
            onClick={() => onChange(values.filter((_, index) => index !== row))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => onChange([...values, ""])}
        disabled={values.length >= MAX_ROWS}
        style={{ alignSelf: "flex-start" }}
      >
        {addLabel}
      </Button>
    </Stack>
  );
}

type RowProps = {
  label: string;
  value: string;
  placeholder: string;
  onChange: (value: string) => void;
  error: ReactNode;
  check: Props["check"] | undefined;
};

function UriRow({ label, value, placeholder, onChange, error, check }: RowProps) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState(false);
  const [uri] = useDebouncedValue(value.trim(), 350);
  const verdict = useQuery({
    ...trpc.clients.checkRedirectUri.queryOptions({
      uri,
      type: check?.type ?? "web",
      environment: check?.environment ?? "development",
    }),
    enabled: check !== undefined && uri !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = uri !== "" && uri === value.trim() ? verdict.data : undefined;
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <TextInput
        aria-label={label}
        value={value}
        placeholder={placeholder}
        onChange={({ currentTarget }) => {
          setTyped(true);
          onChange(currentTarget.value);
        }}
        error={(shown?.ok === false ? shown.message : undefined) ?? error}
        spellCheck={false}
        autoCapitalize="off"
        inputMode="url"
        maxLength={2048}
        styles={{ input: { fontFamily: "var(--gh-font-mono)", fontSize: "var(--gh-text-sm)" } }}
      />
      {typed && <UriAdvice verdict={shown} use={onChange} />}
    </div>
  );
}
