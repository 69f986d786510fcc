/** @jsxImportSource hono/jsx */
import { branding } from "@gatehouse/product";
import type { Child } from "hono/jsx";

type LayoutProps = { title: string; width?: "narrow" | "wide"; corner?: Child; children?: Child };

/** The layout of every page: the brand above one column. Loads nothing from other hosts (SE-14). */
export function Layout({ title, width = "narrow", corner, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${branding.name}`}</title>
        <link rel="preload" href="/assets/inter-latin.woff2" as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href="/assets/pages.css" />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      </head>
      <body class={width}>
        <header class="top">
          <a class="brand" href="/">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path fill-rule="evenodd" d={branding.markPath} />
            </svg>
            {branding.name}
          </a>
          {corner}
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}

/** The hidden fields of a form. Undefined values are left out. */
export function Hidden({ values }: { values: Record<string, string | undefined> }) {
  return Object.entries(values).map(([name, value]) => (value === undefined ? null : <input type="hidden" name={name} value={value} />));
}

/** A problem, which screen readers announce when the page opens. Fields refer to it by its id. */
export function Alert({ children }: { children?: Child }) {
  if (!children) return null;
  return (
    <p class="note danger" role="alert" id="problem">
      {children}
    </p>
  );
}

/** Marks development and staging. Production has no badge. */
export function EnvironmentBadge({ environment }: { environment: string }) {
  if (environment === "production") return null;
  return <span class={`badge ${environment}`}>{environment}</span>;
}

/** Scopes in the words that users read. */
export function Scopes({ scopes }: { scopes: readonly { description: string; resource: string | null }[] }) {
  return (
    <ul class="scopes">
      {scopes.map((scope) => (
        <li>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m5 13 4 4L19 7" stroke-linecap="round" stroke-linejoin="round" />
          </svg>
          <span>
            {scope.description}
            {scope.resource === null ? null : ` (${scope.resource})`}
          </span>
        </li>
      ))}
    </ul>
  );
}
