"use client";

import { Menu, Text, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconCheck,
  IconClock,
  IconDeviceDesktop,
  IconDevices,
  IconLogout,
  IconMoon,
  IconSun,
} from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { AccountButton } from "./account-button.tsx";
import { useMe } from "./me.tsx";
import { ROLES } from "./role-badge.tsx";
import { useZone } from "./times.ts";

const SCHEMES = [
  { scheme: "light", label: "Light", Icon: IconSun },
  { scheme: "dark", label: "Dark", Icon: IconMoon },
  { scheme: "auto", label: "System", Icon: IconDeviceDesktop },
] as const;

const ZONES = [
  { value: "local", label: "Local time" },
  { value: "utc", label: "UTC" },
] as const;

const YourSessions = dynamic(
  () => import("@/features/account/your-sessions.tsx").then((module) => module.YourSessions),
  { ssr: false },
);

type Props = {
  /** Open at once: the button was pressed before the menu was there. */
  initiallyOpened: boolean;
  /** The button that the menu replaces had the focus. */
  focused: boolean;
};

/** The account menu: user, sessions, appearance, time zone, sign-out. */
export function AccountMenu({ initiallyOpened, focused }: Props) {
  const { user } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [zone, setZone] = useZone();
  const signOut = useRef<HTMLFormElement>(null);
  const [showsSessions, sessions] = useDisclosure();
  const [opened, menu] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const takeOver = useEffectEvent(() => {
    if (focused) button.current?.focus();
    if (initiallyOpened) menu.open();
  });
  useLayoutEffect(() => takeOver(), []);

  return (
    <>
      <form ref={signOut} method="post" action="/auth/sign-out" hidden />
      <Menu
        opened={opened}
        onChange={(next) => (next ? menu.open() : menu.close())}
        position="bottom-end"
        width={240}
        withArrow
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <AccountButton ref={button} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--gh-text)" truncate>
              {user.name}
            </Text>
            <Text size="xs" truncate>
              {user.email} · {ROLES[user.role].label}
            </Text>
          </Menu.Label>
          <Menu.Item leftSection={<IconDevices size={16} aria-hidden="true" />} onClick={sessions.open}>
            Your sessions
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Appearance</Menu.Label>
          {SCHEMES.map(({ scheme, label, Icon }) => (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={16} aria-hidden="true" />}
              rightSection={colorScheme === scheme ? <IconCheck size={14} aria-label="Selected" /> : null}
              onClick={() => setColorScheme(scheme)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>Times</Menu.Label>
          {ZONES.map(({ value, label }) => (
            <Menu.Item
              key={value}
              leftSection={<IconClock size={16} aria-hidden="true" />}
              rightSection={zone === value ? <IconCheck size={14} aria-label="Selected" /> : null}
              onClick={() => setZone(value)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={16} aria-hidden="true" />}
            onClick={() => signOut.current?.requestSubmit()}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {showsSessions && <YourSessions opened close={sessions.close} />}
    </>
  );
}
