// Next does not tell a page its own URL, so the proxy does, in a header of the request. A browser can send that header
// too: this process believes only what it has written itself.

const HEADER = "x-gatehouse-page";

// Next loads the proxy and the pages as separate bundles of one process.
const OWN = Symbol.for("gatehouse.sdk.next.page");
type Global = typeof globalThis & { [OWN]?: string };

function ownKey(): string {
  const scope: Global = globalThis;
  scope[OWN] ??= crypto.randomUUID();
  return scope[OWN];
}

/** For the request that the page sees. `path` has the base path and the query. */
export function pagePathHeader(path: string): [name: string, value: string] {
  return [HEADER, `${ownKey()} ${path}`];
}

/** The path and query of the page; undefined without the proxy, or if it runs in another process. */
export function readPagePath(headers: Headers): string | undefined {
  const [key, path] = headers.get(HEADER)?.split(" ") ?? [];
  return key === ownKey() ? path : undefined;
}
