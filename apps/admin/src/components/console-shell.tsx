"use client";

import { AppShell, Burger, Group, Loader, NavLink, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { NAVIGATION } from "@/navigation.ts";
import { Mark } from "./mark.tsx";
import { useMe } from "./me.tsx";
import { RoleBadge } from "./role-badge.tsx";
import { UserMenu } from "./user-menu.tsx";

/** Room below every page, so that a toast at the bottom of the window never covers the page's last buttons. */
const TOAST_SPACE = 96;

/** The frame of every page: header, navigation, and the page itself. */
export function ConsoleShell({ issuer, children }: { issuer: string; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const pathname = usePathname();
  const me = useMe();
  const main = useFocusAfterNavigation(pathname);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 236, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", md: "lg" }}
      styles={{ main: { background: "var(--gh-background)", paddingBottom: TOAST_SPACE } }}
    >
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? "Close navigation" : "Open navigation"}
            />
            <Link href="/applications" className="muted-link" aria-label="Gatehouse Console, home">
              <Group gap={8} wrap="nowrap">
                <Mark />
                <Text fw={650}>Gatehouse</Text>
              </Group>
            </Link>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <RoleBadge role={me.user.role} visibleFrom="xs" />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main">
        <AppShell.Section grow>
          {NAVIGATION.map(({ href, label, Icon }) => (
            <NavLink
              key={href}
              component={Link}
              href={href}
              label={label}
              active={pathname.startsWith(href)}
              aria-current={pathname.startsWith(href) ? "page" : undefined}
              leftSection={<Icon size={18} stroke={1.7} aria-hidden="true" />}
              rightSection={<LinkPending />}
              onClick={close}
              mb={4}
              style={{ borderRadius: "var(--gh-radius-small)" }}
            />
          ))}
        </AppShell.Section>
        <AppShell.Section>
          <Text size="xs" c="dimmed" px="xs" style={{ overflowWrap: "anywhere" }}>
            Issuer: {issuer}
          </Text>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: "none" }}>
        <div className="page">{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Placed inside a link: a spinner while the link's page loads. */
function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <Loader size={14} aria-label="Loading" className="link-pending" /> : null;
}

/** Moves the focus to the new page's content when the focused element has left with the previous page. */
function useFocusAfterNavigation(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current !== pathname && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
    previous.current = pathname;
  }, [pathname]);
  return main;
}
