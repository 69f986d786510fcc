"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { Environment } from "@/trpc/types.ts";

/** A step of the breadcrumbs. Without `href`, the page itself. */
export type Crumb = { label: string; href?: string | undefined };
export type EnvironmentChoice = Environment | "all";

type FramePage = { crumbs: readonly Crumb[]; environment: Environment | null };
type FrameEnvironment = { choices: readonly EnvironmentChoice[]; selected: EnvironmentChoice };

const PageContext = createContext<FramePage | undefined>(undefined);
const EnvironmentContext = createContext<FrameEnvironment | undefined>(undefined);
type Setters = { setPage: (page: FramePage | undefined) => void; setEnvironment: (control: FrameEnvironment | undefined) => void };
const SettersContext = createContext<Setters | undefined>(undefined);

/** Carries what a page says about itself to the header, which is rendered before the page. */
export function FrameState({ children }: { children: ReactNode }) {
  const [page, setPage] = useState<FramePage>();
  const [environment, setEnvironment] = useState<FrameEnvironment>();
  const [setters] = useState(() => ({ setPage, setEnvironment }));
  return (
    <SettersContext value={setters}>
      <PageContext value={page}>
        <EnvironmentContext value={environment}>{children}</EnvironmentContext>
      </PageContext>
    </SettersContext>
  );
}

/** What the current page has said about itself; undefined until it has hydrated. */
export const useFramePage = () => useContext(PageContext);
/** The environments that the current page can show; undefined if it has none. */
export const useFrameEnvironment = () => useContext(EnvironmentContext);

function useSetters(): Setters {
  const setters = useContext(SettersContext);
  if (!setters) throw new Error("A page must be rendered within FrameState");
  return setters;
}

/** Tells the header the page's breadcrumbs, and the environment that it is bound to. */
export function useAnnouncePage({ crumbs, environment }: FramePage): void {
  const { setPage } = useSetters();
  const key = JSON.stringify({ crumbs, environment });
  useEffect(() => {
    setPage(JSON.parse(key) as FramePage);
    return () => setPage(undefined);
  }, [key, setPage]);
}

/** Enables the header's Environment control with these choices. */
export function useAnnounceEnvironment(choices: readonly EnvironmentChoice[], selected: EnvironmentChoice): void {
  const { setEnvironment } = useSetters();
  const key = choices.join();
  useEffect(() => {
    setEnvironment({ choices: key.split(",") as EnvironmentChoice[], selected });
    return () => setEnvironment(undefined);
  }, [key, selected, setEnvironment]);
}
