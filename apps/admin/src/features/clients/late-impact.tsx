"use client";

import { Skeleton } from "@mantine/core";
import type { ComponentProps } from "react";
import { useOnDemand } from "@/components/on-demand.tsx";
import type { ImpactFacts, ImpactNote } from "./impact.tsx";

const load = () => import("./impact.tsx");

/** `ImpactNote` in a dialog that most visits of the page don’t open: loaded when it is shown. */
export function LateImpactNote(props: ComponentProps<typeof ImpactNote>) {
  const loaded = useOnDemand(load, true);
  return loaded ? <loaded.ImpactNote {...props} /> : <Skeleton h={96} />;
}

/** `ImpactFacts` in the same way. */
export function LateImpactFacts(props: ComponentProps<typeof ImpactFacts>) {
  const loaded = useOnDemand(load, true);
  return loaded ? <loaded.ImpactFacts {...props} /> : <Skeleton h={96} />;
}
