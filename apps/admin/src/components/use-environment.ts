"use client";

import { useSearchParams } from "next/navigation";
import type { Environment } from "@/trpc/types.ts";
import { environmentNames } from "./environments.tsx";
import { ENVIRONMENT_CHOICES, type EnvironmentChoice, useAnnounceEnvironment } from "./frame/frame-state.tsx";
import type { StartingEnvironment } from "./starting-environment.ts";

export type { EnvironmentChoice } from "./frame/frame-state.tsx";

/**
 * The environment that the header's control selects, from the URL's `environment=`. Without one it is that of `start`,
 * or "all". A page that does not call it has no environment, and the control is disabled. CO-03, CO-07.
 */
export function useEnvironment(start: StartingEnvironment = {}): EnvironmentChoice {
  const given = useSearchParams().get("environment");
  const selected = environmentNames.find((name) => name === (given ?? start.environment)) ?? "all";
  useAnnounceEnvironment(ENVIRONMENT_CHOICES, selected);
  return selected;
}

/** The same for a page that always shows one environment: `fallback` if the URL names none. */
export function useOneEnvironment(fallback: Environment): Environment {
  const given = useSearchParams().get("environment");
  const selected = environmentNames.find((name) => name === given) ?? fallback;
  useAnnounceEnvironment(environmentNames, selected);
  return selected;
}
