"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hrefOf } from "@/features/search/href.ts";
import { navigationFor } from "@/navigation.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { useKeepEnvironment } from "../frame/frame-state.tsx";
import { useMe } from "../me.tsx";
import { closestFirst, type Item, matching, pageActions } from "./items.ts";
import { useRecent } from "./recent.ts";

const MOST_OF_A_KIND = 6;
const MOST_FOUND = 5;
const DEBOUNCE_MS = 100;
const SHORTEST_SEARCH = 2;

/** What the palette offers for `text`: at once what the page knows, then what the server finds. */
export function useItems(text: string): Item[] {
  const me = useMe();
  const keepEnvironment = useKeepEnvironment();
  const [recent] = useRecent();
  const [actions] = useState(pageActions);
  const found = useFound(text);
  const pages = navigationFor(me).flatMap(({ items }) =>
    items.map(({ href, label }): Item => ({ id: `page-${href}`, group: "Pages", label, href: keepEnvironment(href) })),
  );
  pages.push({
    id: "page-removed",
    group: "Pages",
    label: "Removed applications and clients",
    href: "/applications/removed",
  });
  pages.push({ id: "page-getting-started", group: "Pages", label: "Getting started", href: "/?getting-started=1" });
  const visited = recent.map(
    ({ href, label, section }): Item => ({ id: `recent-${href}`, group: "Recent", label, hint: section, href }),
  );
  const known = [visited, actions, pages].flatMap((items) =>
    matching(items, text, text.trim() === "" ? 8 : MOST_OF_A_KIND),
  );
  return [
    ...known,
    ...found.filter((item) => !known.some((one) => "href" in one && "href" in item && one.href === item.href)),
  ];
}

/** What the text names, as a pasted id does, then applications and users that match. */
function useFound(text: string): Item[] {
  const trpc = useTRPC();
  const [query] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const options = { enabled: query.length >= SHORTEST_SEARCH, placeholderData: keepPreviousData };
  const named = useQuery(trpc.lookup.find.queryOptions({ text: query }, options));
  const applications = useQuery(trpc.applications.list.queryOptions({ query, limit: MOST_FOUND }, options));
  const users = useQuery(trpc.users.list.queryOptions({ query, limit: MOST_FOUND }, options));
  if (text.trim().length < SHORTEST_SEARCH) return [];
  return [
    ...(named.data ?? []).map(
      (match): Item => ({
        id: `named-${match.kind}-${match.id}`,
        group: "Exact match",
        label: match.name,
        hint: match.id,
        href: hrefOf(match),
      }),
    ),
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
