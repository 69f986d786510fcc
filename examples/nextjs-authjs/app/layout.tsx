import type { Metadata } from "next";
import type { ReactNode } from "react";

export const metadata: Metadata = { title: "Example Next.js app", icons: "data:," };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" style={{ colorScheme: "light dark", fontFamily: "system-ui" }}>
      <body style={{ maxWidth: "40rem", margin: "3rem auto", padding: "0 1rem" }}>
        <h1>Example Next.js app</h1>
        {children}
      </body>
    </html>
  );
}
