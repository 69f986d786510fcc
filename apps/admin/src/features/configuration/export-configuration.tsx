"use client";

import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toastFailed } from "@/components/toasts.tsx";
import styles from "@/features/settings/settings.module.css";
import { useTRPC } from "@/trpc/client.tsx";

/** Downloads what is configured now. CO-71. */
export function ExportConfiguration() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  async function download(): Promise<void> {
    setBusy(true);
    try {
      const text = await queries.fetchQuery({ ...trpc.configuration.export.queryOptions(), staleTime: 0 });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      link.download = "gatehouse.json";
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      toastFailed(error, "Export failed");
    } finally {
      setBusy(false);
    }
  }
  return (
    <section className={styles["section"]} aria-label="Export">
      <div>
        <h2>Export</h2>
        <p>
          In place of each secret, the file names an environment variable. People and clients that registered themselves
          are not part of it.
        </p>
      </div>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          loading={busy}
          onClick={() => void download()}
        >
          Export
        </Button>
      </Group>
    </section>
  );
}
