import { Button, Group } from "@mantine/core";
import type { Environment } from "@/trpc/types.ts";
import { inPlace } from "./environments.tsx";
import styles from "./save-bar.module.css";

type Props = {
  /** The labels of the fields that changed. */
  changed: readonly string[];
  dirty: boolean;
  saving: boolean;
  discard: () => void;
  /** Where the change applies, if it applies to one environment. */
  environment?: Environment;
};

/** Saves a long form: at its end, and in sight as soon as something changed, with what that is. CO-76, CO-77. */
export function SaveBar({ changed, dirty, saving, discard, environment }: Props) {
  return (
    <div className={styles["bar"]} data-dirty={dirty}>
      {dirty && (
        <p className={styles["changed"]} style={{ margin: 0 }} title={changed.join(", ")}>
          <b>{changed.length === 1 ? "1 change" : `${changed.length} changes`}</b>
          {changed.length > 0 && `: ${changed.join(", ")}`}
        </p>
      )}
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" disabled={!dirty} onClick={discard}>
          Discard changes
        </Button>
        <Button type="submit" loading={saving} disabled={!dirty}>
          {inPlace("Save changes", environment)}
        </Button>
      </Group>
    </div>
  );
}
