"use client";

import { useMe } from "@/components/me.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { useTab } from "@/components/page-tabs.tsx";
import { BlockList } from "./block-list.tsx";
import { ClientList } from "./client-list.tsx";
import { GroupList } from "./group-list.tsx";
import { PruneIdle } from "./prune-idle.tsx";
import { RegistrationTokens } from "./registration-tokens.tsx";

const FOR_ALL = [
  { value: "groups", label: "By origin" },
  { value: "clients", label: "Clients" },
] as const;
const FOR_ADMINS = [
  ...FOR_ALL,
  { value: "blocks", label: "Blocks" },
  { value: "tokens", label: "Registration tokens" },
] as const;

/** Clients that no admin registered, who made them, and what is blocked. CO-61. */
export function SelfRegisteredPage() {
  const { can } = useMe();
  const tabs = can.manageProduction ? FOR_ADMINS : FOR_ALL;
  const tab = useTab<(typeof FOR_ADMINS)[number]["value"]>(tabs);
  return (
    <>
      <PageFrame
        title="Self-registered"
        description="Clients that registered themselves, or that a metadata document describes. They are unverified until you approve them."
        actions={can.manageProduction && tab !== "tokens" && tab !== "blocks" ? <PruneIdle /> : undefined}
        tabs={tabs}
      />
      {tab === "groups" && <GroupList />}
      {tab === "clients" && <ClientList />}
      {tab === "blocks" && <BlockList />}
      {tab === "tokens" && <RegistrationTokens />}
    </>
  );
}
