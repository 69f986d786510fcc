"use client";

import { MAIL_FILTERS } from "@gatehouse/console/lists/lists";
import { IconMail } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { PageHeader } from "@/components/page-header.tsx";
import { EmptyState } from "@/components/state.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { MailStatus as MailStatusView } from "@/trpc/types.ts";
import { MailStatus } from "./mail-status.tsx";
import { MAIL_COLUMNS, MailTable } from "./mail-table.tsx";
import { MAIL_STATE_WORDS } from "./mail-words.ts";

const FIELDS: readonly FilterField[] = [
  { kind: "text", name: "recipient", label: "Recipient", maxLength: 254 },
  {
    kind: "choice",
    name: "state",
    label: "Status",
    options: MAIL_FILTERS.state.values.map((value) => ({ value, label: MAIL_STATE_WORDS[value] })),
  },
];

/** The outbox: every mail to a user, and what became of it. EM-03. */
export function MailList({ delivery }: { delivery: MailStatusView["delivery"] | undefined }) {
  const trpc = useTRPC();
  const { values, set, isSet, clear } = useFilters(MAIL_FILTERS);
  const query = useInfiniteQuery({
    ...useListPlace(trpc.mails.list.infiniteQueryOptions(listInput(values, usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Mail"
        description="Every mail that this server wrote to a user in the last 30 days, and whether it was delivered."
      />
      <MailStatus known={delivery} />
      <List
        query={query}
        filtered={isSet}
        filters={
          <FilterBar
            label="Filter mails"
            fields={FIELDS}
            values={values}
            set={(name, value) => set({ [name]: value })}
            clear={clear}
          >
            <ViewMenu name="mails" columns={MAIL_COLUMNS} paged />
          </FilterBar>
        }
        empty={
          <EmptyState icon={<IconMail size={26} />} title="No mail yet">
            Sign-up codes, password resets and security notices appear here as soon as one is written.
          </EmptyState>
        }
        noMatch={{
          title: "No mail found",
          text: "No mail matches these filters. The recipient has to be the whole address.",
        }}
        skeleton={{ rows: 8, height: 40 }}
      >
        {(mails) => <MailTable mails={mails} />}
      </List>
    </>
  );
}
