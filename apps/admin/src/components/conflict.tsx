"use client";

import { useState } from "react";
import { conflictOf } from "@/trpc/errors.ts";
import type { CompareVersions } from "./compare-versions.tsx";
import { useOnDemand } from "./on-demand.tsx";

const loadComparison = () => import("./compare-versions.tsx");

type Props<Values extends object> = Omit<Parameters<typeof CompareVersions<Values>>[0], "conflict" | "close"> & {
  /** The error of the last save. */
  error: unknown;
};

/**
 * Opens when somebody else saved since the form was read. Shows the fields in which both differ, and saves what the
 * user keeps of each. Fields that only the other one changed are taken over; closing keeps everything in the form.
 * CO-45.
 */
export function ConflictDialog<Values extends object>({ error, ...props }: Props<Values>) {
  const conflict = conflictOf(error);
  const [closed, setClosed] = useState<unknown>();
  const comparison = useOnDemand(loadComparison, conflict !== undefined);
  if (!conflict || closed === error || !comparison) return null;
  return (
    <comparison.CompareVersions key={conflict.version} conflict={conflict} close={() => setClosed(error)} {...props} />
  );
}
