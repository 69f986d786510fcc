import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/** Where pages load the script, and hear of changes. */
const SCRIPT_PATH = "/_dev/reload.js";
const CHANGES_PATH = "/_dev/changes";

/** The page loads again once what it came from is not the newest. Hidden tabs need no connection. */
const SCRIPT = `
const built = document.currentScript.src.split("?")[1];
let changes;
function follow() {
  changes?.close();
  if (document.hidden) return;
  changes = new EventSource("${CHANGES_PATH}");
  changes.onmessage = ({ data }) => { if (!data.split(" ").includes(built)) location.reload(); };
}
document.addEventListener("visibilitychange", follow);
follow();
`;

/** Where a page came from: React pages have the bundle of Next's process, all others that of the server. */
type Source = "server" | "next";

/** Makes open pages load again when the server has started again, or Next has its new bundle. */
export function createReloading() {
  const began = Date.now();
  const builds: Record<Source, number> = { server: 0, next: 0 };
  const open = new Set<ServerResponse>();
  const built = (source: Source) => `${began}-${source}-${builds[source]}`;
  const tell = (page: ServerResponse) => page.write(`data: ${built("server")} ${built("next")}\n\n`);

  return {
    /** Answers the requests of the script; false for any other path. */
    answer(pathname: string, outgoing: ServerResponse): boolean {
      if (pathname === SCRIPT_PATH) {
        outgoing.writeHead(200, { "Content-Type": "text/javascript", "Cache-Control": "no-store" }).end(SCRIPT);
      } else if (pathname === CHANGES_PATH) {
        outgoing.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
        open.add(outgoing.once("close", () => open.delete(outgoing)));
        outgoing.write("retry: 200\n");
        tell(outgoing);
      } else return false;
      return true;
    },
    /** The end of a page that loads the script, and the policy that allows it; undefined for what is no such page. */
    pageWithScript: (headers: IncomingHttpHeaders) =>
      pageWithScript(headers, (source) => `${SCRIPT_PATH}?${built(source)}`),
    changed(source: Source): void {
      builds[source] += 1;
      for (const page of open) tell(page);
    },
  };
}

function pageWithScript(
  headers: IncomingHttpHeaders,
  srcOf: (source: Source) => string,
): { policy: string; end: string } | undefined {
  const { "content-type": type = "", "content-security-policy": policy } = headers;
  if (!type.startsWith("text/html") || typeof policy !== "string") return undefined;
  const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
  if (nonce !== undefined) return { policy, end: `<script nonce="${nonce}" src="${srcOf("next")}"></script>` };
  if (!/script-src '(none|self)'/.test(policy)) return undefined; // its own script is named by hash, or a frame has none
  const allowed = policy.replace("script-src 'none'", "script-src 'self'");
  return { policy: `${allowed}; connect-src 'self'`, end: `<script src="${srcOf("server")}"></script>` };
}
