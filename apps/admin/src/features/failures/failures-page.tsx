"use client";

import { Button, Group, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { onDemand } from "@/components/on-demand.tsx";
import { PageFrame } from "@/components/page-frame.tsx";
import { useTab } from "@/components/page-tabs.tsx";
import { useEnvironment } from "@/components/use-environment.ts";
import { GroupList } from "./group-list.tsx";
import { RefusalList } from "./refusal-list.tsx";

const ExportFailures = onDemand(() => import("./export-failures.tsx").then((module) => module.ExportFailures));

const TABS = [
  { value: "groups", label: "Groups" },
  { value: "all", label: "All" },
] as const;

/** Why requests were refused: by what they have in common, or one by one. CO-46. */
export function FailuresPage() {
  useEnvironment();
  const tab = useTab(TABS);
  const [exporting, dialog] = useDisclosure();
  return (
    <>
      <PageFrame
        title="Failures"
        description="Every refused request, with its true cause. Callers only learn an error id."
        actions={
          <Group gap="sm" align="flex-end">
            <FindErrorId />
            {tab === "all" && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconDownload size={14} aria-hidden="true" />}
                onClick={dialog.open}
              >
                Export
              </Button>
            )}
          </Group>
        }
        tabs={TABS}
      />
      {tab === "all" ? <RefusalList /> : <GroupList />}
      {tab === "all" && <ExportFailures opened={exporting} close={dialog.close} />}
    </>
  );
}

/** An error id that somebody sent leads to its entry. */
function FindErrorId() {
  const router = useRouter();
  const [errorId, setErrorId] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const typed = errorId.trim();
        if (typed !== "") router.push(`/failures/${encodeURIComponent(typed)}`);
      }}
    >
      <TextInput
        label="Error id"
        placeholder="7K3M9Q2XTV"
        size="xs"
        w={180}
        value={errorId}
        maxLength={64}
        onChange={(event) => setErrorId(event.currentTarget.value)}
      />
    </form>
  );
}
