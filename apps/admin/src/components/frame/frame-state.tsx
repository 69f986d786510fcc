"use client";

import { useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { environmentNames } from "@/components/environments.tsx";
import type { Environment } from "@/trpc/types.ts";
import { withEnvironment } from "./with-environment.ts";

/** A step of the breadcrumbs. Without `href`, the page itself. */
export type Crumb = { label: string; href?: string | undefined };
export type EnvironmentChoice = Environment | "all";

export const ENVIRONMENT_CHOICES: readonly EnvironmentChoice[] = ["all", ...environmentNames];

type FramePage = { crumbs: readonly Crumb[]; environment: Environment | null };
type FrameEnvironment = { choices: readonly EnvironmentChoice[]; selected: EnvironmentChoice };
type Frame = {
  page?: FramePage | undefined;
  environment?: FrameEnvironment | undefined;
  /** What the last page with an environment had in its URL. */
  chosen?: EnvironmentChoice | undefined;
};
type Store = { get: () => Frame; change: (part: Frame) => void; subscribe: (listener: () => void) => () => void };

const FrameContext = createContext<Store | undefined>(undefined);
const NOTHING_SAID: Frame = {};

/**
 * Carries what a page says about itself to the header, which is rendered before the page. In a store: a context whose
 * value changes would make React throw away the HTML of every part of the page whose code is still loading. CO-99.
 */
export function FrameState({ children }: { children: ReactNode }) {
  const [store] = useState(createStore);
  return <FrameContext value={store}>{children}</FrameContext>;
}

function createStore(): Store {
  let frame = NOTHING_SAID;
  const listeners = new Set<() => void>();
  return {
    get: () => frame,
    change(part) {
      frame = { ...frame, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function useStore(): Store {
  const store = useContext(FrameContext);
  if (!store) throw new Error("A page must be rendered within FrameState");
  return store;
}

function useFrame(): Frame {
  const { subscribe, get } = useStore();
  return useSyncExternalStore(subscribe, get, () => NOTHING_SAID);
}

/** What the current page has said about itself; undefined until it has hydrated. */
export const useFramePage = () => useFrame().page;
/** The environments that the current page can show; undefined if it has none. */
export const useFrameEnvironment = () => useFrame().environment;

/** Tells the header the page's breadcrumbs, and the environment that it is bound to. */
export function useAnnouncePage({ crumbs, environment }: FramePage): void {
  const { change } = useStore();
  const key = JSON.stringify({ crumbs, environment });
  useEffect(() => {
    change({ page: JSON.parse(key) as FramePage });
    return () => change({ page: undefined });
  }, [key, change]);
}

/** Enables the header's Environment control with these choices. */
export function useAnnounceEnvironment(choices: readonly EnvironmentChoice[], selected: EnvironmentChoice): void {
  const { change } = useStore();
  const given = useSearchParams().get("environment") ?? undefined;
  const chosen = choices.find((choice) => choice === given);
  // A page that always shows one environment says nothing about the others' choice.
  const isChoice = chosen !== undefined || choices.includes("all");
  useEffect(() => {
    if (isChoice) change({ chosen });
  }, [isChoice, chosen, change]);
  const key = choices.join();
  useEffect(() => {
    change({ environment: { choices: key.split(",") as EnvironmentChoice[], selected } });
    return () => change({ environment: undefined });
  }, [key, selected, change]);
}

/**
 * Adds the environment that the user has chosen to a link to another page: the URL's, or on the page of an object that
 * of the page before. CO-03.
 */
export function useKeepEnvironment(): (href: string) => string {
  const given = useSearchParams().get("environment");
  const { chosen } = useFrame();
  const environment = ENVIRONMENT_CHOICES.find((choice) => choice === given) ?? chosen;
  return (href) => withEnvironment(href, environment);
}
