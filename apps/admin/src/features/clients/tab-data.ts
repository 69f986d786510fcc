import { byCursor } from "@/trpc/list.ts";
import type { consoleData } from "@/trpc/server.tsx";
import type { Application, ClientView } from "@/trpc/types.ts";

type Data = Awaited<ReturnType<typeof consoleData>>;
type Fetch = (data: Data, client: ClientView, application: Application) => Promise<unknown>;

/**
 * By tab, what it asks for first. A page that opens on the tab has it in its HTML; else the tab asks when it is opened.
 * CO-99.
 */
const DATA: Readonly<Record<string, Fetch>> = {
  overview: ({ trpc, queryClient }, { clientId }) =>
    queryClient.prefetchQuery(trpc.clients.firstUse.queryOptions({ clientId })),
  settings: ({ trpc, queryClient }) =>
    Promise.all([
      queryClient.prefetchQuery(trpc.scopes.list.queryOptions()),
      queryClient.prefetchQuery(trpc.resources.list.queryOptions()),
    ]),
  secrets: ({ trpc, queryClient }, { clientId }) =>
    queryClient.prefetchQuery(trpc.clients.secrets.queryOptions({ clientId })),
  previews: ({ trpc, queryClient }, { clientId }) =>
    queryClient.prefetchQuery(trpc.previews.list.queryOptions({ clientId })),
  use: ({ trpc, queryClient }, { clientId }) => queryClient.prefetchQuery(trpc.clients.use.queryOptions({ clientId })),
  history: ({ trpc, queryClient }, { clientId }, { id }) =>
    queryClient.prefetchInfiniteQuery(trpc.audit.history.infiniteQueryOptions({ objects: [id, clientId] }, byCursor)),
};

/**
 * Fetches what the tab `tab` of a client's page asks for first. A failure is left to the tab, which asks again and
 * shows it.
 */
export async function prefetchTab(
  data: Data,
  tab: string,
  client: ClientView,
  application: Application,
): Promise<void> {
  // The URL can name what every object has, such as `__defineGetter__`.
  if (Object.hasOwn(DATA, tab)) await DATA[tab]?.(data, client, application);
}
