"use client";

import { Group } from "@mantine/core";
import { IconSearchOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Instant } from "./instant.tsx";
import { type Paging, SearchFurther } from "./list-end.tsx";
import { EmptyState } from "./state.tsx";

type Props = {
  /** The title when every row was examined. */
  title: string;
  children: ReactNode;
  /** Unix seconds; null when every row was examined. */
  searchedBackTo: number | null;
  paging: Paging;
  /** Another way on, such as clearing the filters. */
  action?: ReactNode;
};

/** A search without a result: a final one, or one that can be continued. */
export function NothingFound({ title, children, searchedBackTo, paging, action }: Props) {
  if (searchedBackTo === null) {
    return (
      <EmptyState icon={<IconSearchOff size={26} />} title={title} action={action}>
        <span role="status">{children}</span>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconSearchOff size={26} />}
      title={
        <>
          Nothing found since <Instant at={searchedBackTo} />
        </>
      }
      action={
        <Group justify="center" gap="sm">
          <SearchFurther paging={paging} />
          {action}
        </Group>
      }
    >
      <span role="status">One search examines a limited number of entries. Older ones have not been searched yet.</span>
    </EmptyState>
  );
}
