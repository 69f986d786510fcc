"use client";

import { DELIVERY_FILTERS, type DeliveryFilter } from "@gatehouse/lists";
import { Box, Button, Group, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDisclosure, useMounted } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dayjs from "dayjs";
import { useFilters } from "@/components/use-filters.ts";
import { useSearchText } from "@/components/use-search-text.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { OUTCOMES, outcomes, REASONS, reasons } from "./reasons.ts";

/** Filters that a phone shows only on demand. */
const SECONDARY = ["reason", "eventType", "eventId", "from", "to"] as const satisfies (keyof DeliveryFilter)[];

type Option = { value: string; label: string };
const asOptions = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

/** The filters of the list. On a phone, the secondary ones are behind a button unless one of them is set. */
export function DeliveryFilters() {
  const trpc = useTRPC();
  const facets = useQuery(trpc.deliveries.facets.queryOptions());
  const { values, set, isSet, clear } = useFilters(DELIVERY_FILTERS);
  const [opened, { toggle }] = useDisclosure(SECONDARY.some((name) => values[name] !== undefined));
  const secondary = opened ? {} : { visibleFrom: "sm" as const };

  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" role="search" aria-label="Filter deliveries" style={{ alignItems: "end" }}>
      <SelectFilter
        label="Result"
        value={values.outcome}
        options={outcomes.map((value) => ({ value, label: OUTCOMES[value].label }))}
        onChange={(chosen) => set({ outcome: outcomes.find((outcome) => outcome === chosen) })}
      />
      <SelectFilter
        label="Provider"
        value={values.provider}
        options={asOptions(facets.data?.providers ?? [])}
        onChange={(provider) => set({ provider })}
      />
      <Box {...secondary}>
        <SelectFilter
          label="Reason"
          value={values.reason}
          options={reasons.map((value) => ({ value, label: REASONS[value].title }))}
          onChange={(chosen) => set({ reason: reasons.find((reason) => reason === chosen) })}
        />
      </Box>
      <Box {...secondary}>
        <SelectFilter
          label="Event type"
          value={values.eventType}
          options={asOptions(facets.data?.eventTypes ?? [])}
          onChange={(eventType) => set({ eventType })}
        />
      </Box>
      <Box {...secondary}>
        <EventIdFilter value={values.eventId} onChange={(eventId) => set({ eventId })} />
      </Box>
      <Box {...secondary}>
        <TimeFilter label="From" value={values.from} onChange={(from) => set({ from })} />
      </Box>
      <Box {...secondary}>
        <TimeFilter label="To" value={values.to} onChange={(to) => set({ to })} />
      </Box>
      <Group gap="xs" className="filter-actions">
        <Button hiddenFrom="sm" variant="default" aria-expanded={opened} onClick={toggle}>
          {opened ? "Fewer filters" : "More filters"}
        </Button>
        {isSet && (
          <Button variant="subtle" leftSection={<IconX size={14} aria-hidden="true" />} onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
    </SimpleGrid>
  );
}

type SelectProps = { label: string; value: string | undefined; options: Option[]; onChange: (value: string) => void };

/** `value` may come from a link and not be among the options. */
function SelectFilter({ label, value = "", options, onChange }: SelectProps) {
  const known = value === "" || options.some((option) => option.value === value);
  return (
    <NativeSelect
      label={label}
      size="sm"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: "", label: "All" }, ...options, ...(known ? [] : asOptions([value]))]}
    />
  );
}

function EventIdFilter({ value = "", onChange }: { value: string | undefined; onChange: (eventId: string) => void }) {
  const { text, type } = useSearchText(value, onChange);
  return (
    <TextInput
      label="Event ID"
      size="sm"
      value={text}
      maxLength={DELIVERY_FILTERS.eventId.maxLength}
      spellCheck={false}
      autoCapitalize="off"
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

type TimeProps = { label: string; value: number | undefined; onChange: (unixSeconds: number | "") => void };

/** Shows Unix seconds in the user's time zone, which only the browser knows. */
function TimeFilter({ label, value, onChange }: TimeProps) {
  const mounted = useMounted();
  return (
    <TextInput
      type="datetime-local"
      label={label}
      size="sm"
      value={mounted && value !== undefined ? dayjs.unix(value).format("YYYY-MM-DDTHH:mm") : ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? "" : dayjs(currentTarget.value).unix())}
    />
  );
}
