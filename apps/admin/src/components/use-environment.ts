"use client";

import { useSearchParams } from "next/navigation";
import type { Environment } from "@/trpc/types.ts";
import { environmentNames } from "./environments.tsx";
import { type EnvironmentChoice, useAnnounceEnvironment } from "./frame/frame-state.tsx";

export type { EnvironmentChoice } from "./frame/frame-state.tsx";

const WITH_ALL: readonly EnvironmentChoice[] = ["all", ...environmentNames];

/**
 * The environment that the header's control selects, from the URL's `environment=`; "all" without one. A page that does
 * not call it has no environment, and the control is disabled. CO-03, CO-07.
 */
export function useEnvironment(): EnvironmentChoice {
  const given = useSearchParams().get("environment");
  const selected = environmentNames.find((name) => name === given) ?? "all";
  useAnnounceEnvironment(WITH_ALL, selected);
  return selected;
}

/** The same for a page that always shows one environment: `fallback` if the URL names none. */
export function useOneEnvironment(fallback: Environment): Environment {
  const given = useSearchParams().get("environment");
  const selected = environmentNames.find((name) => name === given) ?? fallback;
  useAnnounceEnvironment(environmentNames, selected);
  return selected;
}
