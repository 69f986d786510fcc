"use client";

import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hrefOf } from "@/features/search/href.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { useKeepEnvironment } from "../frame/frame-state.tsx";
import { useMe } from "../me.tsx";
import { useZone } from "../times.ts";
import { actionsFor, ownActions } from "./actions.ts";
import { closestFirst, EXACT, type Item, matching, once, pageActions } from "./items.ts";
import { pagesFor } from "./pages.ts";
import { useRecent } from "./recent.ts";

const MOST_OF_A_KIND = 6;
const MOST_FOUND = 5;
const DEBOUNCE_MS = 100;
const SHORTEST_SEARCH = 2;

const isSearch = (text: string) => text.length >= SHORTEST_SEARCH;
/** A row of the audit log is named by its number, which can have one digit. */
const isNumber = (text: string) => /^\d+$/.test(text);

/** What the palette offers for `text`: at once what the page knows, then what the server finds. */
export function useItems(text: string): Item[] {
  const me = useMe();
  const keepEnvironment = useKeepEnvironment();
  const [recent] = useRecent();
  const [onPage] = useState(pageActions);
  const found = useFound(text);
  const { setColorScheme } = useMantineColorScheme();
  const [, setZone] = useZone();
  const visited = recent.map(
    ({ href, label, section }): Item => ({ id: `recent-${href}`, group: "Recent", label, hint: section, href }),
  );
  const pages = pagesFor(me).map((page) => ("href" in page ? { ...page, href: keepEnvironment(page.href) } : page));
  const actions = [...actionsFor(me), ...ownActions({ setColorScheme, setZone })].filter(
    ({ label }) => !onPage.some((one) => one.label === label),
  );
  const known = [visited, onPage, pages, actions].flatMap((items) =>
    matching(items, text, text.trim() === "" ? 8 : MOST_OF_A_KIND),
  );
  return once([...known, ...found]);
}

/** What the text names, as a pasted id does, then applications and users that match. */
function useFound(text: string): Item[] {
  const trpc = useTRPC();
  const [query] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const options = { enabled: isSearch(query), placeholderData: keepPreviousData };
  const named = useQuery(
    trpc.lookup.find.queryOptions({ text: query }, { ...options, enabled: isSearch(query) || isNumber(query) }),
  );
  const applications = useQuery(trpc.applications.list.queryOptions({ query, limit: MOST_FOUND }, options));
  const users = useQuery(trpc.users.list.queryOptions({ query, limit: MOST_FOUND }, options));
  const exact = (named.data ?? []).map(
    (match): Item => ({
      id: `named-${match.kind}-${match.id}`,
      group: EXACT,
      label: match.kind === "audit" ? `Audit log, row ${match.id}` : match.name,
      hint: match.kind === "audit" ? match.name : match.id,
      href: hrefOf(match),
    }),
  );
  if (!isSearch(text.trim())) return isNumber(text.trim()) ? exact : [];
  return [
    ...exact,
    ...closestFirst(
      (applications.data?.items ?? []).map(
        ({ id, name }): Item => ({
          id: `application-${id}`,
          group: "Applications",
          label: name,
          href: `/applications/${id}`,
        }),
      ),
      text,
    ),
    ...(users.data?.items ?? []).map(
      ({ id, name, email }): Item => ({
        id: `user-${id}`,
        group: "Users",
        label: name,
        hint: email,
        href: `/users/${id}`,
      }),
    ),
  ];
}
