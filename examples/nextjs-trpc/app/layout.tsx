import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { Account } from "./account";
import { ApiProvider } from "./api";
import "./style.css";

export const metadata: Metadata = { title: "Reading list", icons: "data:," };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <Link href="/">Reading list</Link>
          <Account />
        </header>
        <main>
          <ApiProvider>{children}</ApiProvider>
        </main>
      </body>
    </html>
  );
}
