"use client";

import { AppShell, Burger, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import frame from "./frame/frame.module.css";
import { FrameState } from "./frame/frame-state.tsx";
import { Sidebar } from "./frame/sidebar.tsx";
import { rememberSidebar, type SidebarState } from "./frame/sidebar-state.ts";
import { TopBar } from "./frame/top-bar.tsx";
import { Keys } from "./keys/keys.tsx";
import { Mark } from "./mark.tsx";
import { SessionGuard } from "./session/session-guard.tsx";
import { UnsavedGuard } from "./unsaved.tsx";

const WIDTH = { open: 220, icons: 52 } as const;

type Props = { sidebar: SidebarState; alarm: ReactNode; children: ReactNode };

/** The frame of every page: navigation, header, what an admin has to know at once, and the page itself. */
export function ConsoleShell({ sidebar, alarm, children }: Props) {
  const [opened, { open, close }] = useDisclosure();
  const [state, setState] = useState(sidebar);
  const pathname = usePathname();
  const main = useFocusAfterNavigation(pathname);
  const toggle = () => {
    const next = state === "open" ? "icons" : "open";
    setState(next);
    rememberSidebar(next);
  };

  return (
    <FrameState>
      <AppShell
        layout="alt"
        header={{ height: { base: 80, sm: 48 } }}
        navbar={{ width: WIDTH[state], breakpoint: "sm", collapsed: { mobile: !opened } }}
        transitionDuration={0}
      >
        <a href="#main" className="skip-link">
          Skip to content
        </a>
        <AppShell.Navbar aria-label="Main" className={frame["sidebar"] ?? ""}>
          <div className={frame["brand"]}>
            <Link href="/" className="muted-link" aria-label="Gatehouse Console, home" onClick={close}>
              <Mark size={20} />
              {(opened || state === "open") && <Text fw={650}>Gatehouse</Text>}
            </Link>
            <Burger opened hiddenFrom="sm" size="sm" onClick={close} aria-label="Close navigation" />
          </div>
          <Sidebar collapsed={state === "icons" && !opened} toggle={toggle} onNavigate={close} />
        </AppShell.Navbar>
        <AppShell.Header className={frame["header"] ?? ""}>
          <TopBar openNavigation={open} />
        </AppShell.Header>
      </AppShell>
      {/* Outside the AppShell, whose context changes after the first render. `FrameState` says what that would do. */}
      <main id="main" ref={main} tabIndex={-1} className={frame["main"]}>
        <div className="page">
          <SessionGuard />
          <UnsavedGuard />
          <Keys />
          {alarm}
          {children}
        </div>
      </main>
    </FrameState>
  );
}

/** Moves the focus to the new page's content when the focused element has left with the previous page. */
function useFocusAfterNavigation(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current !== pathname && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
    previous.current = pathname;
  }, [pathname]);
  return main;
}
