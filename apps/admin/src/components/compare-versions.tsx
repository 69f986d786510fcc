"use client";

import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Conflict } from "@/trpc/errors.ts";
import styles from "./conflict.module.css";
import { differing, type FieldPath, nameOf, same, textOf, valueAt, withValues } from "./conflict-fields.ts";
import { Timestamp } from "./timestamp.tsx";

type Props<Values> = {
  conflict: Conflict;
  /** What the form showed before anything was typed. */
  base: Values;
  /** What the user wants to save. */
  mine: Values;
  /** A field as the form calls it. A member of a record is `options.dpop`. */
  labelOf: (field: string) => string;
  /** Saves these values over `version`, of which the server has `theirs`. */
  save: (values: Values, version: number, theirs: Conflict["theirs"]) => void;
  close: () => void;
};

/** Both versions, field by field, and what to keep of each. */
export function CompareVersions<Values extends object>({ conflict, base, mine, labelOf, save, close }: Props<Values>) {
  const { theirs, version, by, at } = conflict;
  const fields = differing({ base, mine, theirs });
  const touched = (path: FieldPath) => !same(valueAt(mine, path), valueAt(base, path));
  const theyChanged = (path: FieldPath) => !same(valueAt(theirs, path), valueAt(base, path));
  const asked = fields.filter((path) => touched(path) && theyChanged(path));
  const [kept, setKept] = useState<Readonly<Record<string, "mine" | "theirs">>>({});
  const choiceOf = (path: FieldPath) => kept[nameOf(path)] ?? "mine";

  function resolve(): void {
    const taken = fields.filter((path) => !touched(path) || choiceOf(path) === "theirs");
    close();
    save(
      withValues(
        mine,
        taken.map((path) => [path, valueAt(theirs, path)]),
      ),
      version,
      theirs,
    );
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
            ? "They changed different fields. Both changes are kept."
            : "Choose what to keep of the fields that differ. Their other changes are kept."}
        </Text>
        {asked.map((path) => (
          <Radio.Group
            key={nameOf(path)}
            label={labelOf(nameOf(path))}
            value={choiceOf(path)}
            onChange={(choice) => setKept({ ...kept, [nameOf(path)]: choice === "theirs" ? "theirs" : "mine" })}
          >
            <div className={styles["sides"]}>
              <Side value="mine" label="Keep mine">
                {textOf(valueAt(mine, path), nameOf(path))}
              </Side>
              <Side value="theirs" label={`Take ${by === null ? "theirs" : `${by}’s`}`}>
                {textOf(valueAt(theirs, path), nameOf(path))}
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
