"use client";

import { useDisclosure } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { navigationFor } from "@/navigation.ts";
import { useKeepEnvironment } from "../frame/frame-state.tsx";
import { useMe } from "../me.tsx";
import { leaveSafely } from "../unsaved.tsx";
import { edit, focusSearch, saveForm, selectRow, walkRows } from "./page-keys.ts";
import { isTyping, PAGE_KEYS, useShortcutsOn } from "./shortcuts.ts";

const KeyHelp = dynamic(() => import("./key-help.tsx").then((module) => module.KeyHelp), { ssr: false });

/** How long `G` waits for its letter. */
const SECOND_KEY_MS = 1_500;

/** The keys of the console. None of them changes anything by itself. CO-75. */
export function Keys() {
  const router = useRouter();
  const me = useMe();
  const keepEnvironment = useKeepEnvironment();
  const [on] = useShortcutsOn();
  const [helping, help] = useDisclosure();
  const [helpUsed, setHelpUsed] = useState(false);
  const pressedG = useRef(Number.NEGATIVE_INFINITY);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return saveForm(event);
    if (!on || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const afterG = event.timeStamp - pressedG.current < SECOND_KEY_MS;
    pressedG.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (afterG) return goTo(event);
    if (event.key === "?") {
      setHelpUsed(true);
      help.open();
    } else if (event.key === "/") focusSearch(event);
    else if (event.key === "j") walkRows(1);
    else if (event.key === "k") walkRows(-1);
    else if (event.key === "x") selectRow();
    else if (event.key === "e") edit(event);
  });
  function goTo(event: KeyboardEvent): void {
    const hrefs = navigationFor(me).flatMap(({ items }) => items.map(({ href }) => href));
    const href = hrefs.find((one) => PAGE_KEYS[one] === event.key);
    if (href === undefined) return;
    event.preventDefault();
    leaveSafely(() => router.push(keepEnvironment(href)));
  }
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return helpUsed ? <KeyHelp opened={helping} close={help.close} /> : null;
}
