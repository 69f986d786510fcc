"use client";

import { navigation } from "@gatehouse/product/navigation";
import Link from "next/link";
import { usePathname } from "next/navigation";
import styles from "./navigation.module.css";

/** The pages of the product; on a phone, in a row of their own. */
export function Navigation() {
  const pathname = usePathname();
  return (
    <nav className={styles["navigation"]} aria-label="Pages">
      <ul>
        {navigation.map(({ href, label }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              aria-current={pathname === href || pathname.startsWith(`${href}/`) ? "page" : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
