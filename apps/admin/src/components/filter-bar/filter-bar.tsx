"use client";

import { Button, Group, Popover, UnstyledButton } from "@mantine/core";
import { useDisclosure, useMounted } from "@mantine/hooks";
import { IconPlus, IconX } from "@tabler/icons-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { describe, type FilterField, type FilterValue, verbOf } from "./fields.ts";
import styles from "./filter-bar.module.css";
import { FilterEditor } from "./filter-editor.tsx";
import { SavedViews } from "./saved-views.tsx";

/** The pages of lists, as opposed to those of objects, whose URLs have ids. */
const SAVEABLE = /^(?:\/[a-z]+(?:-[a-z]+)*)+$/;

type Props = {
  /** Names the bar for screen readers. */
  label: string;
  fields: readonly FilterField[];
  values: Readonly<Record<string, FilterValue | undefined>>;
  /** An empty value removes the filter. */
  set: (name: string, value: FilterValue) => void;
  clear: () => void;
  /** Shown at the end of the row: counts and freshness. */
  children?: ReactNode;
};

/** The filters of a list: a chip for each one that is set, and a menu with the others. */
export function FilterBar({ label, fields, values, set, clear, children }: Props) {
  const chosen = fields.filter(({ name }) => values[name] !== undefined);
  const open = fields.filter(({ name }) => values[name] === undefined);
  const pathname = usePathname();
  return (
    <Group role="search" aria-label={label} gap={6} className={styles["bar"]}>
      {chosen.map((field) => (
        <Chip key={field.name} field={field} value={values[field.name] ?? ""} set={(value) => set(field.name, value)} />
      ))}
      {open.length > 0 && <AddFilter fields={open} set={set} />}
      {chosen.length > 1 && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
          Clear filters
        </Button>
      )}
      {SAVEABLE.test(pathname) && <SavedViews />}
      {children}
    </Group>
  );
}

/** "Result is Rejected ×". A click on the text changes the value, × removes the filter. */
function Chip({ field, value, set }: { field: FilterField; value: FilterValue; set: (value: FilterValue) => void }) {
  const [opened, popover] = useDisclosure();
  const mounted = useMounted(); // only the browser knows the user's time zone
  const shown = field.kind === "instant" && !mounted ? "…" : describe(field, value);
  return (
    <span className={styles["chip"]}>
      <Popover
        opened={opened}
        onChange={(next) => !next && popover.close()}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <UnstyledButton className={styles["text"]} onClick={popover.toggle}>
            <span className={styles["label"]}>
              {field.label} {verbOf(field)}
            </span>{" "}
            <bdi>{shown}</bdi>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={6}>
          <FilterEditor
            field={field}
            value={value}
            apply={(next) => {
              popover.close();
              set(next);
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <UnstyledButton className={styles["remove"]} aria-label={`Remove filter: ${field.label}`} onClick={() => set("")}>
        <IconX size={13} aria-hidden="true" />
      </UnstyledButton>
    </span>
  );
}

/** "+ Filter": first the field, then its value. */
function AddFilter({ fields, set }: { fields: readonly FilterField[]; set: Props["set"] }) {
  const [opened, popover] = useDisclosure();
  const [field, setField] = useState<FilterField>();
  const close = () => {
    popover.close();
    setField(undefined);
  };
  return (
    <Popover
      opened={opened}
      onChange={(next) => !next && close()}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          className={styles["add"]}
          leftSection={<IconPlus size={13} aria-hidden="true" />}
          onClick={() => (opened ? close() : popover.open())}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={field ? field.label : "Filter by"}>
        {field ? (
          <FilterEditor
            key={field.name}
            field={field}
            value=""
            apply={(value) => {
              close();
              set(field.name, value);
            }}
          />
        ) : (
          <ul className={styles["options"]}>
            {fields.map((one, index) => (
              <li key={one.name}>
                <UnstyledButton
                  className={styles["option"]}
                  data-autofocus={index === 0 ? true : undefined}
                  onClick={() => setField(one)}
                >
                  {one.label}
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
