"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { isWithin } from "@/navigation.ts";
import { useFramePage } from "../frame/frame-state.tsx";
import { useMe } from "../me.tsx";
import { useStored } from "../use-stored.ts";

/** A page of an object that the user has looked at. */
export type Recent = { href: string; label: string; section: string };

const MOST_RECENT = 8;
const NONE: readonly Recent[] = [];

const isRecent = (value: unknown): value is Recent =>
  typeof value === "object" &&
  value !== null &&
  ["href", "label", "section"].every((name) => typeof Reflect.get(value, name) === "string");
const areRecent = (value: unknown): value is readonly Recent[] => Array.isArray(value) && value.every(isRecent);

/**
 * The objects that this user has looked at in this browser, the latest first, and the function that changes the list.
 */
export function useRecent(): [readonly Recent[], (recent: readonly Recent[]) => void] {
  return useStored(`gatehouse:recent:${useMe().user.id}`, NONE, areRecent);
}

/** Adds the current page to the recent objects if it is the page of an object. */
export function useRecordRecent(): void {
  const pathname = usePathname();
  const crumbs = useFramePage()?.crumbs ?? [];
  const [recent, setRecent] = useRecent();
  const [first] = crumbs;
  // The path changes a moment before the new page says what it is.
  const isObject = crumbs.length > 1 && first?.href !== undefined && isWithin(first.href, pathname);
  const section = isObject ? first.label : undefined;
  const label = crumbs.at(-1)?.label;
  const latest = recent[0];
  useEffect(() => {
    if (section === undefined || label === undefined) return;
    if (latest?.href === pathname && latest.label === label) return;
    setRecent(
      [{ href: pathname, label, section }, ...recent.filter(({ href }) => href !== pathname)].slice(0, MOST_RECENT),
    );
  }, [pathname, section, label, latest, recent, setRecent]);
}
