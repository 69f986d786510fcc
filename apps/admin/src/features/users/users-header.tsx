"use client";

import { Button, Group, Tabs } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { useMe } from "@/components/me.tsx";
import { onDemand } from "@/components/on-demand.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { useOpenedByLink } from "@/components/use-opened-by-link.ts";
import { useTRPC } from "@/trpc/client.tsx";

const InviteUser = onDemand(() => import("./invite-user.tsx").then((module) => module.InviteUser));

const ExportUsers = onDemand(() => import("./export-users.tsx").then((module) => module.ExportUsers));

const people = (count: number) => (count === 1 ? "One person" : `${count.toLocaleString("en")} people`);

/** The header of the lists of users and of invitations. */
export function UsersHeader({ active }: { active: "users" | "invitations" }) {
  const { can } = useMe();
  const confirmed = useConfirmed();
  const { data: count } = useQuery(useTRPC().users.count.queryOptions());
  const [inviting, dialog] = useDisclosure();
  useOpenedByLink("invite", () => can.manageUsers && confirmed(dialog.open));
  const [exporting, exportDialog] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Users"
        description={`${count === undefined ? "Everyone" : people(count)} who can sign in through this server, and their role in the console.`}
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
