"use client";

import type { ReactNode } from "react";
import { useConfirmed } from "@/components/confirm-identity.tsx";
import { download } from "./download.ts";
import { FormatDialog } from "./format-dialog.tsx";

type Props = {
  title: string;
  /** The route that streams it. */
  path: string;
  /** Of the columns that a spreadsheet can't show as they are. */
  csvHint: string;
  opened: boolean;
  close: () => void;
  /** What is downloaded. */
  children: ReactNode;
  starting: boolean;
  /** Asks for the ticket. */
  start: (options: { onSuccess: (answer: { ticket: string }) => void }) => void;
};

/** Downloads what a list shows, as CSV or NDJSON, after a fresh sign-in. CO-85, CO-88. */
export function ListExport({ title, path, csvHint, opened, close, children, starting, start }: Props) {
  const confirmed = useConfirmed();
  const startExport = (format: string) =>
    start({
      onSuccess({ ticket }) {
        close();
        download(path, { ticket, format });
      },
    });
  return (
    <FormatDialog
      title={title}
      opened={opened}
      close={close}
      formats={[
        { value: "csv", label: "CSV", hint: csvHint },
        { value: "ndjson", label: "NDJSON", hint: "One JSON object per line." },
      ]}
      starting={starting}
      start={(format) => confirmed(() => startExport(format))}
    >
      {children}
    </FormatDialog>
  );
}
