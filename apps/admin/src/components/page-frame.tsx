"use client";

import { Group, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import type { Environment } from "@/trpc/types.ts";
import frame from "./frame/frame.module.css";
import { type Crumb, useAnnouncePage } from "./frame/frame-state.tsx";
import { type PageTab, PageTabs } from "./page-tabs.tsx";
import { pageTitle } from "./page-title.ts";

type Props = {
  title: string;
  /** The pages above this one, the section first. Empty for a section's own page. */
  crumbs?: readonly { label: string; href: string }[];
  /** One sentence about a section, under its title. */
  description?: ReactNode;
  /** One line of facts about an object: id, kind, state. */
  facts?: ReactNode;
  /** One primary button at most; what else there is goes into a menu. */
  actions?: ReactNode;
  /** Chooses the part of the object that the page shows, above the tabs. */
  chooser?: ReactNode;
  /** Sections of the page, at `?tab=`; the first is the default. */
  tabs?: readonly PageTab[];
  /** A control at the end of the row of tabs. */
  besideTabs?: ReactNode;
  /** The environment that the page is bound to. Production is marked in the header. */
  environment?: Environment | undefined;
};

const NO_TABS: readonly PageTab[] = [];
const NO_CRUMBS: readonly { label: string; href: string }[] = [];

/**
 * The head of every page: its one `h1`, facts, actions and tabs; and its breadcrumbs, mark and document title. CO-06,
 * CO-08.
 */
export function PageFrame({
  title,
  crumbs = NO_CRUMBS,
  description,
  facts,
  actions,
  chooser,
  tabs = NO_TABS,
  besideTabs,
  environment,
}: Props) {
  const current: Crumb = { label: title };
  useAnnouncePage({ crumbs: [...crumbs, current], environment: environment ?? null });
  useDocumentTitle(`${pageTitle({ title, section: crumbs[0]?.label, environment })} · Gatehouse Console`);
  return (
    <header className={frame["head"]}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={frame["headText"]}>
          <Title order={1} className={frame["title"] ?? ""}>
            <bdi>{title}</bdi>
          </Title>
          {description && <p className={frame["description"]}>{description}</p>}
          {facts && <div className={frame["facts"]}>{facts}</div>}
        </div>
        {actions}
      </Group>
      {chooser}
      {(tabs.length > 0 || besideTabs) && (
        <div className={frame["sections"]}>
          {tabs.length > 0 && <PageTabs tabs={tabs} />}
          {besideTabs}
        </div>
      )}
    </header>
  );
}

/**
 * Keeps the title of a page whose object or environment changes without a navigation. Next writes its own title late,
 * when it streams.
 */
function useDocumentTitle(title: string): void {
  useEffect(() => {
    const apply = () => {
      if (document.title !== title) document.title = title;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}
