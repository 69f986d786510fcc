"use client";

import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconClock, IconDeviceDesktop, IconDevices, IconLogout, IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useRef } from "react";
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

const YourSessions = dynamic(() => import("@/features/account/your-sessions.tsx").then((module) => module.YourSessions), { ssr: false });

/** The account menu: user, sessions, appearance, time zone, sign-out. */
export function UserMenu() {
  const { user } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [zone, setZone] = useZone();
  const signOut = useRef<HTMLFormElement>(null);
  const [showsSessions, sessions] = useDisclosure();

  return (
    <>
      <form ref={signOut} method="post" action="/auth/sign-out" hidden />
      <Menu position="bottom-end" width={240} withArrow withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton aria-label={`Account menu of ${user.name}`} style={{ borderRadius: "50%" }}>
            <Avatar radius="xl" size={28} color="indigo" aria-hidden="true">
              <IconUser size={16} />
            </Avatar>
          </UnstyledButton>
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
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => signOut.current?.requestSubmit()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {showsSessions && <YourSessions opened close={sessions.close} />}
    </>
  );
}
