"use client";

import { SIGN_IN_FILTERS } from "@gatehouse/console/lists/lists";
import { IconLogin } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import type { FilterField } from "@/components/filter-bar/fields.ts";
import { FilterBar } from "@/components/filter-bar/filter-bar.tsx";
import { List } from "@/components/list.tsx";
import { useListPlace } from "@/components/list-place.ts";
import { useMe } from "@/components/me.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { Peek, PeekRoom } from "@/components/peek/peek.tsx";
import { usePeek } from "@/components/peek/use-peek.ts";
import { EmptyState, RowsSkeleton } from "@/components/state.tsx";
import { usePageSize } from "@/components/table/page-size.ts";
import { ViewMenu } from "@/components/table/view-menu.tsx";
import { useEnvironment } from "@/components/use-environment.ts";
import { useFilters } from "@/components/use-filters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { byCursor, listInput } from "@/trpc/list.ts";
import { hrefOf, SIGN_IN_COLUMNS, SignInTable } from "./sign-in-table.tsx";
import { CAUSES, FACTORS, OUTCOMES } from "./words.ts";

/** Loaded when a row is opened. */
const SignInDetail = dynamic(() => import("./sign-in-detail.tsx").then((module) => module.SignInDetail), {
  loading: () => <RowsSkeleton rows={3} height={64} />,
});

const FIELDS: readonly FilterField[] = [
  { kind: "text", name: "user", label: "User", maxLength: SIGN_IN_FILTERS.user.maxLength },
  {
    kind: "choice",
    name: "outcome",
    label: "Result",
    options: Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label })),
  },
  {
    kind: "choice",
    name: "cause",
    label: "Cause",
    options: Object.entries(CAUSES).map(([value, label]) => ({ value, label })),
  },
  {
    kind: "choice",
    name: "factor",
    label: "Method",
    options: Object.entries(FACTORS).map(([value, label]) => ({ value, label })),
  },
  { kind: "text", name: "clientId", label: "Client id", maxLength: SIGN_IN_FILTERS.clientId.maxLength },
  { kind: "instant", name: "from", label: "From" },
  { kind: "instant", name: "to", label: "To" },
];

const BY_ADDRESS: FilterField = {
  kind: "text",
  name: "address",
  label: "Address",
  maxLength: SIGN_IN_FILTERS.address.maxLength,
};

/** The sign-in log: who could sign in, who could not, and why. SL-03. */
export function SignInList() {
  const trpc = useTRPC();
  const { can } = useMe();
  useEnvironment();
  const { values, set, isSet, clear } = useFilters(SIGN_IN_FILTERS);
  const { environment: _, ...chosen } = values;
  const query = useInfiniteQuery({
    ...useListPlace(trpc.signIns.list.infiniteQueryOptions(listInput(values, usePageSize()), byCursor)),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const peek = usePeek(
    rows.map(({ id }) => id),
    hrefOf,
  );
  const opened = rows.find(({ id }) => id === peek.openId);
  return (
    <PeekRoom peeking={opened !== undefined}>
      <PageFrame
        title="Sign-ins"
        description="Every attempt to sign in, with its true cause. The person at the sign-in page is told less."
      />
      <List
        query={query}
        filtered={isSet}
        filters={
          <FilterBar
            label="Filter sign-ins"
            fields={can.manageProduction ? [...FIELDS, BY_ADDRESS] : FIELDS}
            values={chosen}
            set={(name, value) => set({ [name]: value })}
            clear={clear}
          >
            <ViewMenu name="sign-ins" columns={SIGN_IN_COLUMNS} paged />
          </FilterBar>
        }
        empty={
          <EmptyState icon={<IconLogin size={26} />} title="Nobody has signed in yet">
            When somebody signs in, or tries to, it appears here at once.
          </EmptyState>
        }
        noMatch={{
          title: "No sign-ins found",
          text: "No attempt matches these filters. A user is an email address, whether or not an account has it, or a user id.",
        }}
        skeleton={{ rows: 10, height: 44 }}
      >
        {(items) => <SignInTable rows={items} open={peek.open} openId={peek.openId} />}
      </List>
      {opened && (
        <Peek
          id={opened.id}
          noun="sign-in"
          href={hrefOf(opened.id)}
          previous={peek.previous}
          next={peek.next}
          close={peek.close}
        >
          <SignInDetail signIn={opened} place="peek" />
        </Peek>
      )}
    </PeekRoom>
  );
}
