"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";

// The chart library is larger than the rest of the page, and nobody waits for a chart to read the page.
export const StackedBars = dynamic(() => import("./stacked-bars.tsx").then((module) => module.StackedBars), {
  ssr: false,
  loading: () => <Skeleton height={108} radius={4} />,
});
