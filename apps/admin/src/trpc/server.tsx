import type { Filters, FilterValues } from "@gatehouse/console/lists/filter";
import { pageSizeFrom } from "@gatehouse/console/lists/page-size";
import { readFilters } from "@gatehouse/console/lists/read-filters";
import type { AppRouter } from "@gatehouse/console/types";
import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { forbidden, notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { auth, getAccessToken, signInPath } from "@/auth.ts";
import { bearerClient } from "./bearer-client.ts";
import { needsSignIn, statusOf } from "./errors.ts";
import { createQueryClient } from "./query-client.ts";
import type { Role } from "./types.ts";

/**
 * A tRPC client and query client for the page being rendered, with the user's access token. Redirects to sign-in
 * without one.
 */
export const consoleData = cache(async () => {
  await auth.protect();
  const client = bearerClient(await getAccessToken());
  const queryClient = createQueryClient();
  return { client, queryClient, trpc: createTRPCOptionsProxy<AppRouter>({ client, queryClient }) };
});

/** The signed-in user; one request per rendered page. */
export const currentMe = cache(async () => {
  const { client } = await consoleData();
  return loadOrRedirect(client.me.get.query());
});

/** Next's `searchParams`. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** A list's filters from the URL of the page being rendered. `start` has those of filters that the URL does not name. */
export async function filtersFrom<Of extends Filters>(
  filters: Of,
  searchParams: SearchParams,
  start: Partial<Record<keyof Of & string, string | undefined>> = {},
): Promise<FilterValues<Of>> {
  const given = await searchParams;
  return readFilters(filters, (name) => {
    const value = given[name];
    return typeof value === "string" ? value : start[name];
  });
}

/** The page size from the URL of the page being rendered. */
export async function pageSizeOf(searchParams: SearchParams): Promise<number> {
  const { limit } = await searchParams;
  return pageSizeFrom(typeof limit === "string" ? limit : undefined);
}

/** Where a list starts, from the URL of the page being rendered. */
export async function cursorOf(searchParams: SearchParams): Promise<string | undefined> {
  const { cursor } = await searchParams;
  return typeof cursor === "string" ? cursor : undefined;
}

/** Passes the data that the page fetched on to its client components. */
export async function HydrateClient({ children }: { children: ReactNode }) {
  const { queryClient } = await consoleData();
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>;
}

/** Renders the 403 page for everybody else. The server checks the role again with each request. CO-02. */
export async function requireRole(role: Role): Promise<void> {
  if ((await currentMe()).user.role !== role) forbidden();
}

/**
 * Awaits required data. Renders the not-found page for 404 and the 403 page for 403, redirects to sign-in where that is
 * needed, and rethrows other errors.
 */
export async function loadOrRedirect<T>(data: Promise<T>): Promise<T> {
  try {
    return await data;
  } catch (error) {
    if (statusOf(error) === 404) return notFound();
    if (statusOf(error) === 403 && !needsSignIn(error)) return forbidden();
    if (needsSignIn(error)) return redirect(await signInPath());
    throw error;
  }
}
