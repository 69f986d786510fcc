"use client";

import { NativeSelect } from "@mantine/core";
import { ENVIRONMENTS } from "@/components/environments.tsx";
import { useStartingEnvironment } from "@/components/installation.tsx";
import { leaveSafely } from "@/components/unsaved.tsx";
import { changeQuery } from "@/components/use-filters.ts";
import styles from "./frame.module.css";
import { type EnvironmentChoice, useFrameEnvironment, useFramePage } from "./frame-state.tsx";

const labelOf = (choice: EnvironmentChoice) => (choice === "all" ? "All" : ENVIRONMENTS[choice].label);

const titleOf = (fixed: EnvironmentChoice) =>
  fixed === "all" ? "This page is the same in every environment" : "This page belongs to this environment";

/** The environment of the page, in the URL. Disabled where a page has none, or belongs to one. CO-07. */
export function EnvironmentControl() {
  const control = useFrameEnvironment();
  // Where lists start in one environment, no parameter is not "all".
  const all = useStartingEnvironment().environment === undefined ? undefined : "all";
  const fixed: EnvironmentChoice = useFramePage()?.environment ?? "all";
  const { choices, selected }: NonNullable<typeof control> = control ?? { choices: [fixed], selected: fixed };
  return (
    <NativeSelect
      aria-label="Environment"
      size="xs"
      className={styles["environment"]}
      disabled={control === undefined}
      title={control === undefined ? titleOf(fixed) : undefined}
      value={selected}
      onChange={({ currentTarget: { value } }) =>
        // Another environment has other rows: a cursor or a count of pages does not carry over.
        leaveSafely(() =>
          changeQuery({ environment: value === "all" ? all : value, cursor: undefined }, { push: true }),
        )
      }
      data={choices.map((choice) => ({ value: choice, label: labelOf(choice) }))}
    />
  );
}
