"use client";

import { type ComponentType, useState } from "react";

/**
 * A dialog that is rendered from the first time it is opened, so that `next/dynamic` loads its code then and not with the page. The dialog
 * gives its `Modal` the result of `useOpenedLate`. CO-99.
 */
export function onDemand<Props extends { opened: boolean }>(Dialog: ComponentType<Props>): ComponentType<Props> {
  return function OnDemand(props: Props) {
    const [used, setUsed] = useState(props.opened);
    if (props.opened && !used) setUsed(true);
    return used ? <Dialog {...props} /> : null;
  };
}
