import { branding } from "@gatehouse/product/branding";
import { connection } from "next/server";
import type { ReactNode } from "react";

/**
 * The layout of every React page. Rendered for each request, never at build time, so that its scripts carry the nonce
 * of the content security policy.
 */
export default async function Layout({ children }: { children: ReactNode }) {
  await connection();
  return (
    <html lang="en">
      <head>
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href="/assets/pages.css" />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      </head>
      <body className="narrow">
        <header className="top">
          <a className="brand" href="/">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path fillRule="evenodd" d={branding.markPath} />
            </svg>
            {branding.name}
          </a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}
