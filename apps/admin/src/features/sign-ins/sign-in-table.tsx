"use client";

import { describeBrowser } from "@gatehouse/ui/browser";
import { Text } from "@mantine/core";
import { visibleText } from "@/components/code/visible-text.ts";
import { StatusDot } from "@/components/status-dot.tsx";
import type { Column } from "@/components/table/columns.ts";
import { DataTable } from "@/components/table/data-table.tsx";
import { Timestamp } from "@/components/timestamp.tsx";
import type { SignIn } from "@/trpc/types.ts";
import styles from "./sign-ins.module.css";
import { FACTORS, levelWords, OUTCOMES, resultWords } from "./words.ts";

export const hrefOf = (id: string): string => `/sign-ins/${encodeURIComponent(id)}`;

/** How the attempt ended, and why. */
export function Result({ signIn }: { signIn: SignIn }) {
  return <StatusDot tone={OUTCOMES[signIn.outcome].tone}>{resultWords(signIn)}</StatusDot>;
}

/** What it was tried with, and what that proved if it is more. */
export function methodWords({ factor, level }: SignIn): string {
  const proved = level === null ? FACTORS[factor] : levelWords(level);
  return proved === FACTORS[factor] ? proved : `${FACTORS[factor]}, ${proved.toLowerCase()}`;
}

/** Who tried: a user, or what was typed. */
function Who({ signIn: { user, typedEmail } }: { signIn: SignIn }) {
  if (user === null && typedEmail === null) return <span className={styles["muted"]}>No account</span>;
  return (
    <span className={styles["who"]}>
      <bdi>{visibleText(user?.name ?? typedEmail ?? "")}</bdi>
      <Text
        span
        size="xs"
        c="dimmed"
        display="block"
        truncate
        title={user === null ? undefined : visibleText(user.email)}
      >
        {user === null ? "No account" : visibleText(user.email)}
      </Text>
    </span>
  );
}

export const SIGN_IN_COLUMNS: readonly Column<SignIn>[] = [
  {
    id: "result",
    title: "Result",
    width: 195,
    render: (signIn) => (
      <span className={styles["result"]}>
        <Result signIn={signIn} />
      </span>
    ),
  },
  { id: "who", title: "Who", width: 210, render: (signIn) => <Who signIn={signIn} /> },
  { id: "method", title: "Method", width: 130, from: "medium", render: methodWords },
  {
    id: "application",
    title: "Application",
    width: 160,
    from: "wide",
    render: ({ client }) =>
      client === null ? (
        <span className={styles["muted"]}>–</span>
      ) : (
        <bdi>{visibleText(client.applicationName ?? client.clientId)}</bdi>
      ),
  },
  {
    id: "browser",
    title: "Browser",
    width: 150,
    from: "wide",
    render: ({ userAgent }) => <span title={visibleText(userAgent ?? "")}>{describeBrowser(userAgent)}</span>,
  },
  {
    id: "address",
    title: "Address",
    width: 130,
    from: "wide",
    render: ({ address }) => <code>{address ?? "unknown"}</code>,
  },
  { id: "at", title: "Time", width: 130, time: true, render: ({ at }) => <Timestamp at={at} brief /> },
  { id: "id", title: "Sign-in id", width: 220, optional: true, render: ({ id }) => <code>{id}</code> },
];

type Props = { rows: readonly SignIn[]; open: (id: string) => void; openId: string | null };

export function SignInTable({ rows, open, openId }: Props) {
  return (
    <DataTable
      name="sign-ins"
      label="Sign-ins"
      rows={rows}
      columns={SIGN_IN_COLUMNS}
      rowId={({ id }) => id}
      href={({ id }) => hrefOf(id)}
      open={({ id }) => open(id)}
      openId={openId}
    />
  );
}
