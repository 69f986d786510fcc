"use client";

import { Button, Group, Tabs } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import Link from "next/link";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { PageHeader } from "@/components/page-header.tsx";

const InviteUser = onDemand(() => import("./invite-user.tsx").then((module) => module.InviteUser));

const ExportUsers = onDemand(() => import("./export-users.tsx").then((module) => module.ExportUsers));

/** The header of the lists of users and of invitations. */
export function UsersHeader({ active }: { active: "users" | "invitations" }) {
  const { can } = useMe();
  const confirmed = useConfirmed();
  const [inviting, dialog] = useDisclosure();
  const [exporting, exportDialog] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Users"
        description="Everyone who can sign in through this server, and their role in the console."
        action={
          can.manageUsers && (
            <Group gap="xs">
              {active === "users" && (
                <Button variant="default" onClick={() => confirmed(exportDialog.open)}>
                  Export
                </Button>
              )}
              <Button
                leftSection={<IconUserPlus size={16} aria-hidden="true" />}
                onClick={() => confirmed(dialog.open)}
              >
                Invite user
              </Button>
            </Group>
          )
        }
      />
      <Tabs value={active} mb="md">
        <Tabs.List aria-label="Users">
          <Tabs.Tab value="users" renderRoot={(root) => <Link href="/users" {...root} />}>
            Users
          </Tabs.Tab>
          <Tabs.Tab value="invitations" renderRoot={(root) => <Link href="/users/invitations" {...root} />}>
            Invitations
          </Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <InviteUser opened={inviting} close={dialog.close} />
      {active === "users" && <ExportUsers opened={exporting} close={exportDialog.close} />}
    </>
  );
}
