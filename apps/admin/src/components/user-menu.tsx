"use client";

import { useRef, useState } from "react";
import { AccountButton } from "./account-button.tsx";
import type { AccountMenu } from "./account-menu.tsx";

type Loaded = { Menu: typeof AccountMenu; opened: boolean; focused: boolean };

/**
 * The account menu. Its code is loaded when the pointer or the focus reaches its button, which it then replaces. CO-99.
 */
export function UserMenu() {
  const [loaded, setLoaded] = useState<Loaded>();
  const button = useRef<HTMLButtonElement>(null);
  const press = useRef<"none" | "down" | "done">("none");
  const load = async () => {
    const Menu = await import("./account-menu.tsx").then(
      (module) => module.AccountMenu,
      () => undefined, // no connection: the next press tries again
    );
    // A click goes to neither button if the second one appears while the pointer is down.
    if (!Menu || press.current === "down") return;
    setLoaded(
      (before) =>
        before ?? { Menu, opened: press.current === "done", focused: document.activeElement === button.current },
    );
  };
  if (loaded) return <loaded.Menu focused={loaded.focused} initiallyOpened={loaded.opened} />;
  const pressTo = (next: "none" | "down" | "done") => () => {
    press.current = next;
    if (next !== "down") void load();
  };
  return (
    <AccountButton
      ref={button}
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onPointerDown={pressTo("down")}
      onPointerLeave={pressTo("none")}
      onClick={pressTo("done")}
    />
  );
}
