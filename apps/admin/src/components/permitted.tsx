"use client";

import { Tooltip } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { cloneElement, type ReactElement } from "react";

type Control = ReactElement<{ disabled?: boolean; "data-disabled"?: boolean; "aria-describedby"?: string }>;

/** Disables its control if there is a `reason`, and shows the reason on hover, on focus and to screen readers. */
export function Permitted({ reason, children }: { reason: string | undefined; children: Control }) {
  const id = useId();
  if (reason === undefined) return children;
  return (
    <Tooltip label={reason} multiline maw={260} withArrow events={{ hover: true, focus: true, touch: true }}>
      <span title={reason} id={id}>
        {cloneElement(children, { disabled: true, "aria-describedby": id })}
      </span>
    </Tooltip>
  );
}
