"use client";

import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

/** Searches while typing, a moment after the last key. */
export function SearchField({ label, value, onSearch }: { label: string; value: string; onSearch: (query: string) => void }) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  // The URL changed without us, e.g. by the navigation or the back button.
  if (shown !== value) {
    setShown(value);
    if (value !== text.trim()) setText(value);
  }
  const search = useDebouncedCallback((query: string) => onSearch(query.trim()), 250);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      maxLength={200}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value);
      }}
      w={{ base: "100%", sm: 420 }}
    />
  );
}
