"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { sectionOf } from "@/navigation.ts";
import styles from "./frame.module.css";
import { type Crumb, useFramePage, useKeepEnvironment } from "./frame-state.tsx";

/** Where the page is. The section comes from the path, so that it is there before the page has hydrated. CO-06. */
export function Breadcrumb() {
  const pathname = usePathname();
  const keepEnvironment = useKeepEnvironment();
  const crumbs = useFramePage()?.crumbs ?? crumbsOf(pathname);
  return (
    <nav aria-label="Breadcrumb" className={styles["crumbs"]}>
      <ol>
        {crumbs.map(({ label, href }) => (
          <li key={href ?? label} title={label}>
            {href === undefined ? (
              <span aria-current="page">
                <bdi>{label}</bdi>
              </span>
            ) : (
              <Link href={keepEnvironment(href)}>
                <bdi>{label}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function crumbsOf(pathname: string): Crumb[] {
  const section = sectionOf(pathname);
  if (!section) return [];
  return [{ label: section.label, href: section.href === pathname ? undefined : section.href }];
}
