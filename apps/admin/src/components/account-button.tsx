"use client";

import { Avatar, UnstyledButton } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { useMe } from "./me.tsx";

/** The button of the account menu. */
export function AccountButton(props: ComponentProps<"button">) {
  const { user } = useMe();
  return (
    <UnstyledButton
      aria-label={`Account menu of ${user.name ?? user.id}`}
      aria-haspopup="menu"
      style={{ borderRadius: "50%" }}
      {...props}
    >
      <Avatar radius="xl" size={28} color="indigo" aria-hidden="true">
        <IconUser size={16} />
      </Avatar>
    </UnstyledButton>
  );
}
