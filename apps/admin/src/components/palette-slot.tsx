"use client";

import { Button, Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useRecordRecent } from "./palette/recent.ts";

/** Loaded on first use. */
const Palette = dynamic(() => import("./palette/palette.tsx").then((module) => module.Palette), { ssr: false });

/** The header's Search button, and `Mod+K`. CO-74. */
export function PaletteSlot() {
  const [state, setState] = useState<"unused" | "open" | "closed">("unused");
  const open = () => setState("open");
  useHotkeys([["mod+K", open]], []);
  useRecordRecent();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm" aria-hidden="true">
            ⌘K
          </Kbd>
        }
        aria-keyshortcuts="Meta+K Control+K"
        onClick={open}
      >
        Search
      </Button>
      {state !== "unused" && <Palette opened={state === "open"} close={() => setState("closed")} />}
    </>
  );
}
