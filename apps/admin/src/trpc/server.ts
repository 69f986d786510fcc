import type { AppRouter } from "@gatehouse/api/types";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { env } from "@/env.ts";
import { readTokens } from "@/session/cookies.ts";
import { statusOf } from "./errors.ts";
import { createQueryClient } from "./query-client.ts";

/** Data for a page that is being rendered, fetched from the server with the visitor's token. Signed out: off to sign in. */
export const consoleData = cache(async () => {
  const tokens = await readTokens(await cookies());
  if (!tokens) return redirect(await signInPath());
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${env().issuer}/trpc`,
        headers: { authorization: `Bearer ${tokens.accessToken}` },
        fetch: (url, options) => fetch(url, { ...(options as RequestInit), cache: "no-store" }),
      }),
    ],
  });
  const queryClient = createQueryClient();
  return { client, queryClient, trpc: createTRPCOptionsProxy<AppRouter>({ client, queryClient }) };
});

/** Who is signed in; asked once per page. */
export const currentMe = cache(async () => {
  const { client } = await consoleData();
  return orLeave(client.me.get.query());
});

/** Awaits what the page cannot do without: 404 shows our not-found page, 401 goes to sign in, the rest is an error. */
export async function orLeave<T>(data: Promise<T>): Promise<T> {
  try {
    return await data;
  } catch (error) {
    const status = statusOf(error);
    if (status === 404) return notFound();
    if (status === 401) return redirect(await signInPath());
    throw error;
  }
}

async function signInPath(): Promise<string> {
  const path = (await headers()).get("x-console-path") ?? "/";
  return `/auth/sign-in?return_to=${encodeURIComponent(path)}`;
}
