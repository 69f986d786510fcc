"use client";

import { useSearchParams } from "next/navigation";
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import frame from "./frame/frame.module.css";
import { changeQuery } from "./use-filters.ts";

export type PageTab = { value: string; label: string };

/** The tab that the URL names, else the first. */
export function useTab<const Value extends string>(
  tabs: readonly { value: Value; label: string }[],
): Value | undefined {
  const given = useSearchParams().get("tab");
  return (tabs.find(({ value }) => value === given) ?? tabs[0])?.value;
}

/** The sections of a page as links, so that each can be opened in a new tab and sent to a colleague. CO-01, CO-03. */
export function PageTabs({ tabs }: { tabs: readonly PageTab[] }) {
  const selected = useTab(tabs);
  return (
    <TabRow current={selected}>
      {tabs.map(({ value, label }) => (
        <SectionLink key={value} value={value} current={value === selected}>
          {label}
        </SectionLink>
      ))}
    </TabRow>
  );
}

/**
 * The links to a page's sections in one row. Where it is wider than the window, it scrolls, and the current link is in
 * sight. CO-86.
 */
export function TabRow({ current, children }: { current: string | undefined; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link is found in the document
  useEffect(() => {
    const link = nav.current?.querySelector("[aria-current=page]");
    if (!nav.current || !link) return;
    const [row, own] = [nav.current.getBoundingClientRect(), link.getBoundingClientRect()];
    nav.current.scrollLeft += own.left + own.width / 2 - (row.left + row.width / 2);
  }, [current]);
  return (
    <nav ref={nav} aria-label="Sections" className={frame["tabs"]}>
      {children}
    </nav>
  );
}

type LinkProps = Omit<ComponentProps<"a">, "href" | "onClick"> & { value: string; current?: boolean };

/** A link to a section of the page, which keeps the rest of the URL. */
export function SectionLink({ value, current = false, ...rest }: LinkProps) {
  const next = new URLSearchParams(useSearchParams());
  next.set("tab", value);
  next.delete("cursor"); // of the list of another section
  const select = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    changeQuery({ tab: value }, { push: true });
  };
  return <a {...rest} href={`?${next}`} aria-current={current ? "page" : undefined} onClick={select} />;
}
