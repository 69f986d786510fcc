"use client";

import { Title } from "@mantine/core";
import { History } from "./history.tsx";

/** The history of a page's object, below everything else of the page. CO-66. */
export function HistorySection({ object }: { object: string | readonly string[] }) {
  return (
    <section aria-labelledby="history">
      <Title order={2} size="h4" id="history" mb="sm">
        History
      </Title>
      <History object={object} />
    </section>
  );
}
