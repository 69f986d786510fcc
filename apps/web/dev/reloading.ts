import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/** Where pages load the script, and hear of changes. */
const SCRIPT_PATH = "/_dev/reload.js";
const CHANGES_PATH = "/_dev/changes";

/** The page loads again once the server is another one than it came from. Hidden tabs need no connection. */
const SCRIPT = `
const built = document.currentScript.src.split("?")[1];
let changes;
function follow() {
  changes?.close();
  if (document.hidden) return;
  changes = new EventSource("${CHANGES_PATH}");
  changes.onmessage = ({ data }) => { if (data !== built) location.reload(); };
}
document.addEventListener("visibilitychange", follow);
follow();
`;

/** Makes open pages load again when the server has started again. */
export function createReloading() {
  const began = Date.now();
  const open = new Set<ServerResponse>();
  let starts = 0;
  const built = () => `${began}-${starts}`;
  const tell = (page: ServerResponse) => page.write(`data: ${built()}\n\n`);

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
    pageWithScript: (headers: IncomingHttpHeaders) => pageWithScript(headers, `${SCRIPT_PATH}?${built()}`),
    started(): void {
      starts += 1;
      for (const page of open) tell(page);
    },
  };
}

function pageWithScript(headers: IncomingHttpHeaders, src: string): { policy: string; end: string } | undefined {
  const { "content-type": type = "", "content-security-policy": policy } = headers;
  if (!type.startsWith("text/html") || typeof policy !== "string") return undefined;
  const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
  if (nonce !== undefined) return { policy, end: `<script nonce="${nonce}" src="${src}"></script>` };
  if (!/script-src '(none|self)'/.test(policy)) return undefined; // its own script is named by hash, or a frame has none
  const allowed = policy.replace("script-src 'none'", "script-src 'self'");
  return { policy: `${allowed}; connect-src 'self'`, end: `<script src="${src}"></script>` };
}
