"use client";

import { Button, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback, useMounted } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dayjs from "dayjs";
import { useState } from "react";
import { useUrlFilters } from "../shell/use-url-filters.ts";
import { useTRPC } from "../trpc/client.tsx";
import type { Filter } from "./query.ts";
import { OUTCOMES, outcomes, reasons, VERDICTS } from "./verdicts.ts";

type Option = { value: string; label: string };

/** Filters of the inbox; each lives in the URL. */
export function DeliveryFilters({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const trpc = useTRPC();
  const facets = useQuery(trpc.deliveries.facets.queryOptions());
  const asOptions = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" role="search" aria-label="Filter deliveries" style={{ alignItems: "end" }}>
      <Choice filter="provider" label="Provider" options={asOptions(facets.data?.providers ?? [])} />
      <Choice filter="outcome" label="Result" options={outcomes.map((value) => ({ value, label: OUTCOMES[value].label }))} />
      <Choice filter="reason" label="Reason" options={reasons.map((value) => ({ value, label: VERDICTS[value].title }))} />
      <Choice filter="eventType" label="Event type" options={asOptions(facets.data?.eventTypes ?? [])} />
      <EventId />
      <Moment filter="from" label="From" />
      <Moment filter="to" label="To" />
      <Button
        variant="subtle"
        leftSection={<IconX size={14} aria-hidden="true" />}
        disabled={!filtered}
        onClick={clear}
        style={{ justifySelf: "start" }}
      >
        Clear filters
      </Button>
    </SimpleGrid>
  );
}

function Choice({ filter, label, options }: { filter: Filter; label: string; options: Option[] }) {
  const filters = useUrlFilters();
  const value = filters.get(filter);
  const known = value === "" || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  return (
    <NativeSelect
      label={label}
      size="sm"
      value={value}
      onChange={({ currentTarget }) => filters.set({ [filter]: currentTarget.value })}
      data={[{ value: "", label: "All" }, ...known]}
    />
  );
}

function EventId() {
  const filters = useUrlFilters();
  const inUrl = filters.get("eventId");
  const [text, setText] = useState(inUrl);
  const [shown, setShown] = useState(inUrl);
  // The URL changed without us, e.g. by "Clear filters".
  if (shown !== inUrl) {
    setShown(inUrl);
    setText(inUrl);
  }
  const apply = useDebouncedCallback((value: string) => filters.set({ eventId: value.trim() }), 300);
  return (
    <TextInput
      label="Event id"
      size="sm"
      value={text}
      maxLength={200}
      spellCheck={false}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}

/** In the reader's time zone; in the URL it is Unix seconds. */
function Moment({ filter, label }: { filter: "from" | "to"; label: string }) {
  const filters = useUrlFilters();
  const mounted = useMounted();
  const at = filters.get(filter);
  return (
    <TextInput
      type="datetime-local"
      label={label}
      size="sm"
      value={mounted && /^\d{1,10}$/.test(at) ? dayjs.unix(Number(at)).format("YYYY-MM-DDTHH:mm") : ""}
      onChange={({ currentTarget }) =>
        filters.set({ [filter]: currentTarget.value === "" ? "" : String(dayjs(currentTarget.value).unix()) })
      }
    />
  );
}
