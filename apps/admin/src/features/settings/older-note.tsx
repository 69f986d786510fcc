"use client";

import { Alert } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/trpc/client.tsx";
import { messageOf } from "@/trpc/errors.ts";
import styles from "./settings.module.css";

const WORDS = {
  audit: { one: "row", many: "rows", when: "within a day" },
  deliveries: { one: "delivery body is deleted", many: "delivery bodies are deleted", when: "within ten minutes" },
  sign_ins: { one: "attempt is deleted", many: "attempts are deleted", when: "within ten minutes" },
} as const;

type Log = keyof typeof WORDS;

/** What a shorter retention deletes. It has its place at once, so that nothing moves when the count arrives. CO-69. */
export function OlderNote({ log, days }: { log: Log; days: number }) {
  const [settled] = useDebouncedValue(days, 300);
  const { data, error } = useQuery(useTRPC().settings.older.queryOptions({ log, days: settled }));
  const known = settled === days ? data : undefined;
  return (
    <Alert
      className={styles["note"] ?? ""}
      variant="light"
      color={known && known.count > 0 ? "orange" : "gray"}
      icon={<IconAlertTriangle aria-hidden="true" />}
      role="status"
    >
      {known
        ? sentenceOf(log, known)
        : error
          ? `We couldn’t count what is older: ${messageOf(error)}`
          : "Counting what is older…"}
    </Alert>
  );
}

function sentenceOf(log: Log, { count, more }: { count: number; more: boolean }): string {
  if (count === 0) return "Nothing is older than this.";
  const { one, many, when } = WORDS[log];
  const what = `${count.toLocaleString("en")}${more ? "+" : ""} ${count === 1 ? one : many}`;
  return log === "audit"
    ? `${what} ${count === 1 ? "is" : "are"} older than this. Once saved, ${count === 1 ? "it’s" : "they’re"} deleted ${when}.`
    : `Once saved, ${what} ${when}.`;
}
