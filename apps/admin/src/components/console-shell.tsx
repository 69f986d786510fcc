"use client";

import { AppShell, Badge, Burger, Group, Loader, NavLink, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconApps, IconInbox, IconUsers } from "@tabler/icons-react";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { ROLES } from "@/features/users/query.ts";
import { Mark } from "./mark.tsx";
import { useMe } from "./me.tsx";
import { UserMenu } from "./user-menu.tsx";

const SECTIONS = [
  { href: "/applications", label: "Applications", Icon: IconApps },
  { href: "/deliveries", label: "Deliveries", Icon: IconInbox },
  { href: "/users", label: "Users", Icon: IconUsers },
] as const;

/** The frame of every page: where you are, where you can go, who you are. */
export function ConsoleShell({ issuer, children }: { issuer: string; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const pathname = usePathname();
  const me = useMe();
  const main = useFocusOnArrival(pathname);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", md: "lg" }}
      styles={{ main: { background: "var(--gh-background)" } }}
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
            <Badge variant="light" tt="none" visibleFrom="xs">
              {ROLES[me.user.role].label}
            </Badge>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Sections">
        <AppShell.Section grow>
          {SECTIONS.map(({ href, label, Icon }) => (
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
            Issuer {issuer}
          </Text>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: "none" }}>
        <div style={{ maxWidth: 1180, marginInline: "auto" }}>{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Inside a link: its page is loading. */
function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <Loader size={14} aria-label="Loading" className="link-pending" /> : null;
}

/** A link that leads to another page is gone with its page: the keyboard goes on at the top of the new content, not of the window. */
function useFocusOnArrival(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const left = useRef(pathname);
  useEffect(() => {
    if (left.current !== pathname && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
    left.current = pathname;
  }, [pathname]);
  return main;
}
