"use client";

import { type ComponentType, useEffect, useState } from "react";

/** The first of them is the first sign that somebody uses the page. */
const INTERACTIONS = ["pointerdown", "keydown", "focusin"] as const;

/**
 * Loads code that a page does not need at first, such as a dialog: at the first press, key or focus on the page, when a
 * page that loses its connection later still has it; or as soon as it is `wanted`. A failed load is repeated at the
 * next press. CO-87, CO-99.
 */
export function useOnDemand<Loaded>(load: () => Promise<Loaded>, wanted: boolean): Loaded | undefined {
  const [loaded, setLoaded] = useState<{ value: Loaded }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a constant of its module
  useEffect(() => {
    if (loaded) return;
    const start = () => {
      load().then(
        (value) => setLoaded({ value }),
        () => undefined,
      );
    };
    if (wanted) start();
    // Loading would delay the paint of the press, so it waits for that.
    const startLater = () => requestAnimationFrame(() => setTimeout(start));
    for (const event of INTERACTIONS) window.addEventListener(event, startLater);
    return () => {
      for (const event of INTERACTIONS) window.removeEventListener(event, startLater);
    };
  }, [loaded, wanted]);
  return loaded?.value;
}

/** A dialog whose code is loaded on demand. It gives its `Modal` the result of `useOpenedLate`. */
export function onDemand<Props extends { opened: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function OnDemand(props: Props) {
    const Dialog = useOnDemand(load, props.opened);
    return Dialog ? <Dialog {...props} /> : null;
  };
}
