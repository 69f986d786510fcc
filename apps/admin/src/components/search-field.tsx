"use client";

import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useSearchText } from "./use-search-text.ts";

/** A search field that applies its text when the user stops typing. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string | undefined;
  onSearch: (query: string) => void;
}) {
  const { text, type } = useSearchText(value ?? "", onSearch);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      maxLength={200}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      w={{ base: "100%", sm: 420 }}
    />
  );
}
