import { branding } from "@gatehouse/product/branding";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { pageVisitor } from "../server/pages/react/page-visitor.ts";
import { Account } from "./_components/account.tsx";
import { Navigation } from "./_components/navigation.tsx";
import { ApiProvider } from "./api-provider.tsx";
import styles from "./layout.module.css";

/**
 * The layout of every React page: the product's navigation, and who is signed in. Rendered for each request, never at
 * build time, so that its scripts carry the nonce of the content security policy.
 */
export default async function Layout({ children }: { children: ReactNode }) {
  await connection();
  const visitor = await pageVisitor();
  return (
    <html lang="en">
      <head>
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href="/assets/pages.css" />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      </head>
      <body>
        <a className={styles["skip"]} href="#main">
          Skip to the content
        </a>
        <header className={styles["top"]}>
          <a className="brand" href="/">
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path fillRule="evenodd" d={branding.markPath} />
            </svg>
            {branding.name}
          </a>
          <Navigation />
          <Account visitor={visitor} />
        </header>
        <main id="main" tabIndex={-1}>
          <ApiProvider>{children}</ApiProvider>
        </main>
      </body>
    </html>
  );
}
