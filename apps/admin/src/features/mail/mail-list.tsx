"use client";

import { MAIL_FILTERS } from "@gatehouse/console/lists/lists";
import { IconMail } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { PageHeader } from "@/components/page-header.tsx";
import { Peek, PeekRoom } from "@/components/peek/peek.tsx";
import { usePeek } from "@/components/peek/use-peek.ts";
import { EmptyState, RowsSkeleton } from "@/components/state.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import type { MailStatus as MailStatusView } from "@/trpc/types.ts";
import { MailStatus } from "./mail-status.tsx";
import { hrefOf, MAIL_COLUMNS, MailTable } from "./mail-table.tsx";
import { MAIL_STATE_WORDS } from "./mail-words.ts";

/** Loaded when a row is opened. */
const MailDetail = dynamic(() => import("./mail-detail.tsx").then((module) => module.MailDetail), {
  loading: () => <RowsSkeleton rows={3} height={64} />,
});

/** Mails arrive while a developer tries a flow in another window. */
const LOOK_EVERY_MS = 2_000;

const FIELDS: readonly FilterField[] = [
  { kind: "text", name: "recipient", label: "Recipient", maxLength: 254 },
  {
    kind: "choice",
    name: "state",
    label: "Status",
    options: MAIL_FILTERS.state.values.map((value) => ({ value, label: MAIL_STATE_WORDS[value] })),
  },
];

/**
 * Every mail to a user, and what became of it; without an SMTP server also the mails themselves. `known`: where mail
 * goes as of the page's start, if it could be read. EM-02, EM-03.
 */
export function MailList({ known }: { known: MailStatusView["delivery"] | undefined }) {
  const trpc = useTRPC();
  const { data: status } = useQuery(trpc.mails.status.queryOptions());
  const delivery = status?.delivery ?? known;
  const { values, set, isSet, clear } = useFilters(MAIL_FILTERS);
  const query = useInfiniteQuery({
    ...useListPlace(trpc.mails.list.infiniteQueryOptions(listInput(values, usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
    refetchInterval: delivery === "mailbox" ? LOOK_EVERY_MS : false,
  });
  const mails = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const peek = usePeek(
    mails.map(({ id }) => id),
    hrefOf,
  );
  const opened = mails.find(({ id }) => id === peek.openId);
  return (
    <PeekRoom peeking={opened !== undefined}>
      <PageHeader
        title="Mail"
        description="Every mail that this server wrote to a user in the last 30 days, and what became of it."
      />
      <MailStatus delivery={delivery} />
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
        {(found) => <MailTable mails={found} open={peek.open} openId={peek.openId} />}
      </List>
      {opened && (
        <Peek
          id={opened.id}
          noun="mail"
          href={hrefOf(opened.id)}
          previous={peek.previous}
          next={peek.next}
          close={peek.close}
        >
          <MailDetail mail={opened} place="peek" />
        </Peek>
      )}
    </PeekRoom>
  );
}
