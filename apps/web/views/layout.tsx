/** @jsxImportSource preact */
import { findScope } from "@gatehouse/auth";
import { directionOf, LOCALE_NAMES, LOCALES, type Locale, type Texts } from "@gatehouse/languages";
import { branding, scopes as scopeTable } from "@gatehouse/product";
import type { ComponentChildren } from "preact";
import type { Frame } from "./frame.ts";

type LayoutProps = {
  frame: Frame;
  title: string;
  width?: "narrow" | "wide" | "account";
  corner?: ComponentChildren;
  /** The CSRF token of the page's forms. The language switch is a form too; a page without a token has none. */
  csrf?: string | undefined;
  /** The page has something for our script to do: a passkey ceremony, a password, new recovery codes. WA-11. */
  script?: boolean;
  children?: ComponentChildren;
};

const SCRIPT = "/assets/pages.js";

/**
 * Does the page load our script? Only the head counts: it has no text from outside but the title, which is escaped, so
 * nothing that is injected into a page can loosen its policy.
 */
export function loadsOwnScript(html: string): boolean {
  return html.slice(0, Math.max(0, html.indexOf("</head>"))).includes(`<script src="${SCRIPT}"`);
}

/** The layout of every page: the brand above one column. Loads nothing from other hosts (SE-14). */
export function Layout({ frame, title, width = "narrow", corner, csrf, script = false, children }: LayoutProps) {
  return (
    <html lang={frame.locale} dir={directionOf(frame.locale)} data-theme={frame.preview?.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${frame.productName}`}</title>
        <link rel="preload" href="/assets/inter-latin.woff2" as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href="/assets/pages.css" />
        {frame.brand?.stylesheet ? <link rel="stylesheet" href={frame.brand.stylesheet} /> : null}
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        {script && !frame.preview ? <script src={SCRIPT} defer /> : null}
      </head>
      <body class={width}>
        <header class="top">
          <Brand frame={frame} />
          {corner}
        </header>
        <main>
          <Alert>{frame.problem}</Alert>
          {children}
        </main>
        {csrf === undefined && Object.keys(frame.brand?.links ?? {}).length === 0 ? null : (
          <footer class="foot">
            <BrandLinks frame={frame} />
            {csrf === undefined ? null : <LanguageSwitch frame={frame} csrf={csrf} />}
          </footer>
        )}
      </body>
    </html>
  );
}

/**
 * The app that the user signs in to, if it has a name and a logo of its own; otherwise the installation, and the mark
 * of the build.
 */
function Brand({ frame: { brand, productName } }: { frame: Frame }) {
  const mark = brand?.logo ? (
    <img src={brand.logo} alt="" />
  ) : (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path fill-rule="evenodd" d={branding.markPath} />
    </svg>
  );
  if (brand?.name === undefined) {
    return (
      <a class="brand" href="/">
        {mark}
        {productName}
      </a>
    );
  }
  return (
    <span class="brand">
      {mark}
      <bdi>{brand.name}</bdi>
    </span>
  );
}

function BrandLinks({ frame: { brand, texts } }: { frame: Frame }) {
  const links = (["terms", "privacy", "support"] as const).flatMap((name) => {
    const url = brand?.links[name];
    return url === undefined ? [] : [{ name, url }];
  });
  if (links.length === 0) return null;
  return (
    <nav class="links">
      {links.map(({ name, url }) => (
        <a href={url} rel="noreferrer">
          {texts.layout[name]}
        </a>
      ))}
    </nav>
  );
}

/** Works without scripts, and comes back to the same page with its pending request. LG-01. */
function LanguageSwitch({ frame, csrf }: { frame: Frame; csrf: string }) {
  return (
    <details class="languages">
      <summary>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3.5 9h17M3.5 15h17M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18" />
        </svg>
        <span class="unseen">{frame.texts.layout.changeLanguage}: </span>
        {LOCALE_NAMES[frame.locale]}
      </summary>
      <form method="post" action="/language">
        <Hidden values={{ csrf, ...frame.back }} />
        {LOCALES.map((locale) => (
          <button
            type="submit"
            name="locale"
            value={locale}
            lang={locale}
            dir={directionOf(locale)}
            aria-current={locale === frame.locale ? "true" : undefined}
          >
            {LOCALE_NAMES[locale]}
          </button>
        ))}
      </form>
    </details>
  );
}

/** The hidden fields of a form. Undefined values are left out. */
export function Hidden({ values }: { values: Record<string, string | undefined> }) {
  return Object.entries(values).map(([name, value]) =>
    value === undefined ? null : <input type="hidden" name={name} value={value} />,
  );
}

/** A problem, which screen readers announce when the page opens. Fields refer to it by its id. */
export function Alert({ children }: { children?: ComponentChildren }) {
  if (!children) return null;
  return (
    <p class="note danger" role="alert" id="problem">
      {children}
    </p>
  );
}

/** Marks development and staging. Production has no badge. */
export function EnvironmentBadge({
  environment,
  texts,
}: {
  environment: keyof Texts["layout"]["environments"];
  texts: Texts;
}) {
  if (environment === "production") return null;
  return <span class={`badge ${environment}`}>{texts.layout.environments[environment]}</span>;
}

/** Scopes in the words that users read. */
export function Scopes({
  scopes,
  locale,
}: {
  scopes: readonly { name: string; description: string; resource: string | null }[];
  locale: Locale;
}) {
  return (
    <ul class="scopes">
      {scopes.map((scope) => (
        <li>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m5 13 4 4L19 7" stroke-linecap="round" stroke-linejoin="round" />
          </svg>
          <span>
            {describeScope(scope, locale)}
            {scope.resource === null ? null : ` (${scope.resource})`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A scope in the page's language, if its definition has it. What registered APIs describe stays in their words. */
export function describeScope({ name, description }: { name: string; description: string }, locale: Locale): string {
  const scope = findScope(name, scopeTable);
  return scope?.description === description ? (scope.translations?.[locale] ?? description) : description;
}
