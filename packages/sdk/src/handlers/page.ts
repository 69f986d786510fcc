/** A page of the SDK's own. All members are text; `href` is a path of this app. */
export type Page = {
  status: number;
  title: string;
  text: string;
  action: { href: string; label: string };
  errorId?: string | undefined;
  headers?: Record<string, string> | undefined;
};

const STYLE = `
:root { color-scheme: light dark; --text: #1a1b1e; --muted: #5c6370; --back: #fff; --accent: #1f4bd8; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #e9ecef; --muted: #a6acb5; --back: #141517; --accent: #9db8ff; --on-accent: #10131c; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 28rem; width: 100%; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 8px; }
p { margin: 0 0 24px; color: var(--muted); }
a { display: inline-block; padding: 10px 16px; border-radius: 8px; background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 600; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
small { display: block; margin-top: 24px; color: var(--muted); overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; }
`;

/** Renders a page. Everything in it is escaped, and its policy runs no script. PK-60. */
export function renderPage({ status, title, text, action, errorId, headers }: Page): Response {
  const id = errorId === undefined ? "" : `<small>Error id: <code>${escapeHtml(errorId)}</code></small>`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><a href="${escapeHtml(action.href)}">${escapeHtml(action.label)}</a>${id}</main></body>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
