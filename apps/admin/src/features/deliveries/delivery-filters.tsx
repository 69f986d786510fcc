"use client";

import { Box, Button, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDisclosure, useMounted } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dayjs from "dayjs";
import { useTypedFilter } from "@/components/use-typed-filter.ts";
import { useUrlFilters } from "@/components/use-url-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import type { Filter } from "./query.ts";
import { OUTCOMES, outcomes, reasons, VERDICTS } from "./verdicts.ts";

/** What a phone shows on demand. */
const RARER: readonly Filter[] = ["reason", "eventType", "eventId", "from", "to"];

type Option = { value: string; label: string };

/** Filters of the inbox; each lives in the URL. On a phone the rarer ones wait behind a button, unless one of them is in use. */
export function DeliveryFilters({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const trpc = useTRPC();
  const { get } = useUrlFilters();
  const facets = useQuery(trpc.deliveries.facets.queryOptions());
  const [opened, { toggle }] = useDisclosure(RARER.some((filter) => get(filter) !== ""));
  const asOptions = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));
  const rarer = opened ? {} : { visibleFrom: "sm" as const };

  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" role="search" aria-label="Filter deliveries" style={{ alignItems: "end" }}>
      <Choice filter="outcome" label="Result" options={outcomes.map((value) => ({ value, label: OUTCOMES[value].label }))} />
      <Choice filter="provider" label="Provider" options={asOptions(facets.data?.providers ?? [])} />
      <Box {...rarer}>
        <Choice filter="reason" label="Reason" options={reasons.map((value) => ({ value, label: VERDICTS[value].title }))} />
      </Box>
      <Box {...rarer}>
        <Choice filter="eventType" label="Event type" options={asOptions(facets.data?.eventTypes ?? [])} />
      </Box>
      <Box {...rarer}>
        <EventId />
      </Box>
      <Box {...rarer}>
        <Moment filter="from" label="From" />
      </Box>
      <Box {...rarer}>
        <Moment filter="to" label="To" />
      </Box>
      <Group gap="xs">
        <Button hiddenFrom="sm" variant="default" aria-expanded={opened} onClick={toggle}>
          {opened ? "Fewer filters" : "More filters"}
        </Button>
        {filtered && (
          <Button variant="subtle" leftSection={<IconX size={14} aria-hidden="true" />} onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
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
  const { text, type } = useTypedFilter(filters.get("eventId"), (eventId) => filters.set({ eventId }));
  return (
    <TextInput
      label="Event id"
      size="sm"
      value={text}
      maxLength={200}
      spellCheck={false}
      autoCapitalize="off"
      onChange={({ currentTarget }) => type(currentTarget.value)}
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
