"use client";

import { IconMailbox } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { PageHeader } from "@/components/page-header.tsx";
import { EmptyState, LoadError, RowsSkeleton } from "@/components/state.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import styles from "./mailbox.module.css";
import { MailboxList } from "./mailbox-list.tsx";
import { MailboxMail } from "./mailbox-mail.tsx";

/** Mails arrive while a developer tries a flow in another window. */
const LOOK_EVERY_MS = 2_000;

/** The mails of an installation without an SMTP server, whole, so that every flow works on a fresh machine. EM-02. */
export function Mailbox() {
  const trpc = useTRPC();
  const chosen = useSearchParams().get("mail");
  const {
    data: mails,
    error,
    refetch,
  } = useQuery({ ...trpc.mails.mailbox.queryOptions(), refetchInterval: LOOK_EVERY_MS });
  const open = chosen ?? mails?.[0]?.id;

  return (
    <>
      <PageHeader
        title="Mailbox"
        description="Mails to your users stay here, because this server runs on localhost and has no SMTP server. The newest 200 are kept."
      />
      {error && <LoadError error={error} retry={refetch} />}
      {!mails && !error && <RowsSkeleton rows={6} height={56} />}
      {mails?.length === 0 && (
        <EmptyState icon={<IconMailbox size={26} />} title="No mail yet">
          Sign up or reset a password on the server’s pages. The mail appears here at once, and the terminal prints its
          link.
        </EmptyState>
      )}
      {mails && mails.length > 0 && (
        <div className={styles["panes"]} data-chosen={chosen !== null}>
          <MailboxList mails={mails} openId={open} />
          {open !== undefined && <MailboxMail key={open} id={open} />}
        </div>
      )}
    </>
  );
}
