"use client";

import { Burger } from "@mantine/core";
import { ProductionBadge } from "@/components/environments.tsx";
import { PaletteSlot } from "@/components/palette-slot.tsx";
import { UserMenu } from "@/components/user-menu.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { EnvironmentControl } from "./environment-control.tsx";
import styles from "./frame.module.css";
import { useFramePage } from "./frame-state.tsx";

/**
 * Where the page is, its environment, search and account. A page that can change production is marked. CO-06 to CO-08.
 */
export function TopBar({ openNavigation }: { openNavigation: () => void }) {
  const production = useFramePage()?.environment === "production";
  return (
    <div className={styles["bar"]} data-production={production}>
      <Burger hiddenFrom="sm" size="sm" onClick={openNavigation} aria-label="Open navigation" />
      <Breadcrumb />
      <div className={styles["tools"]}>
        {production && <ProductionBadge />}
        <EnvironmentControl />
        <PaletteSlot />
        <UserMenu />
      </div>
    </div>
  );
}
