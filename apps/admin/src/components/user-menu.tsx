"use client";

import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { useRef } from "react";
import { useMe } from "./me.tsx";
import { ROLES } from "./role-badge.tsx";

const SCHEMES = [
  { scheme: "light", label: "Light", Icon: IconSun },
  { scheme: "dark", label: "Dark", Icon: IconMoon },
  { scheme: "auto", label: "System", Icon: IconDeviceDesktop },
] as const;

/** The account menu: user, appearance, sign-out. */
export function UserMenu() {
  const { user } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useRef<HTMLFormElement>(null);

  return (
    <>
      <form ref={signOut} method="post" action="/auth/sign-out" hidden />
      <Menu position="bottom-end" width={240} withArrow withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton aria-label={`Account menu of ${user.name}`} style={{ borderRadius: "50%" }}>
            <Avatar radius="xl" size={34} color="indigo" aria-hidden="true">
              <IconUser size={19} />
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
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={() => signOut.current?.requestSubmit()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
