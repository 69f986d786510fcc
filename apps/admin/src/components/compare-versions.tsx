"use client";

import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Conflict } from "@/trpc/errors.ts";
import { visibleText } from "./code/visible-text.ts";
import styles from "./conflict.module.css";
import { Timestamp } from "./timestamp.tsx";

type Props<Values> = {
  conflict: Conflict;
  /** What the form showed before anything was typed. */
  base: Values;
  /** What the user wants to save. */
  mine: Values;
  /** A field as the form calls it. */
  labelOf: (field: string) => string;
  /** Saves these values over `version`. */
  save: (values: Values, version: number) => void;
  close: () => void;
};

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Both versions, field by field, and what to keep of each. */
export function CompareVersions<Values extends object>({ conflict, base, mine, labelOf, save, close }: Props<Values>) {
  const { theirs, version, by, at } = conflict;
  const fields = Object.keys(mine).filter((field) => !same(Reflect.get(mine, field), theirs[field]));
  const touched = (field: string) => !same(Reflect.get(mine, field), Reflect.get(base, field));
  const asked = fields.filter(touched);
  const [kept, setKept] = useState<Readonly<Record<string, "mine" | "theirs">>>({});
  const choiceOf = (field: string) => kept[field] ?? "mine";

  function resolve(): void {
    const taken = fields.filter((field) => !touched(field) || choiceOf(field) === "theirs");
    const values = { ...mine, ...Object.fromEntries(taken.map((field) => [field, theirs[field]])) };
    close();
    save(values, version);
  }

  return (
    <Modal opened onClose={close} title={`${by ?? "Somebody else"} changed this after you opened it`} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {at !== null && (
            <>
              Saved <Timestamp at={at} />.{" "}
            </>
          )}
          {asked.length === 0
            ? "They changed other fields than you. Both changes are kept."
            : "Choose what to keep of the fields that differ. Their other changes are kept."}
        </Text>
        {asked.map((field) => (
          <Radio.Group
            key={field}
            label={labelOf(field)}
            value={choiceOf(field)}
            onChange={(choice) => setKept({ ...kept, [field]: choice === "theirs" ? "theirs" : "mine" })}
          >
            <div className={styles["sides"]}>
              <Side value="mine" label="Keep mine">
                {textOf(Reflect.get(mine, field))}
              </Side>
              <Side value="theirs" label={`Take ${by === null ? "theirs" : `${by}’s`}`}>
                {textOf(theirs[field])}
              </Side>
            </div>
          </Radio.Group>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Back to the form
          </Button>
          <Button data-autofocus onClick={resolve}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Side({ value, label, children }: { value: string; label: string; children: ReactNode }) {
  return (
    <div className={styles["side"]}>
      <Radio value={value} label={label} />
      <pre className={styles["value"]}>
        <bdi>{children}</bdi>
      </pre>
    </div>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "(empty)";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.map((one) => textOf(one)).join("\n");
  return visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 2));
}
