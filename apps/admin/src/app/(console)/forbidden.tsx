"use client";

import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useMe } from "@/components/me.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { ROLES } from "@/components/role-badge.tsx";
import { EmptyState } from "@/components/state.tsx";
import { sectionOf } from "@/navigation.ts";

/** Shown, with status 403, at a URL that the user's role cannot open. CO-02. */
export default function Forbidden() {
  const { user } = useMe();
  const path = usePathname();
  const section = sectionOf(path);
  const needed = ROLES[section?.roles?.at(-1) ?? (path === "/applications/new" ? "developer" : "admin")].label;
  return (
    <>
      <PageFrame title={section?.label ?? "No access"} />
      <EmptyState
        icon={<IconLock size={26} />}
        title={`This page needs the ${needed} role`}
        action={
          <Button component={Link} href="/">
            Go to the start page
          </Button>
        }
      >
        You have the {ROLES[user.role].label} role. Ask an admin to change it, or to do this for you.
      </EmptyState>
    </>
  );
}
