"use client";

import { Modal, VisuallyHidden } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { leaveSafely } from "../unsaved.tsx";
import { useOpenedLate } from "../use-opened-late.ts";
import type { Item } from "./items.ts";
import styles from "./palette.module.css";
import { useItems } from "./use-items.ts";

/** Finds pages, recent objects, actions of this page, and the object that a pasted id names. CO-74. */
export function Palette({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal.Root opened={useOpenedLate(opened)} onClose={close} size={560} yOffset="10vh">
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Modal.Body p={0}>{opened && <Search close={close} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ close }: { close: () => void }) {
  const router = useRouter();
  const listId = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const items = useItems(text);
  const at = Math.min(chosen, items.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, at]);

  const choose = (item: Item | undefined) => {
    if (item === undefined || item.reason !== undefined) return;
    close();
    if ("href" in item) leaveSafely(() => router.push(item.href));
    else setTimeout(item.run); // after the dialog has given the focus back
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) choose(items[at]);
    else setChosen((at + step + items.length) % Math.max(items.length, 1));
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search pages, objects and actions"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={items.length > 0 ? optionId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        placeholder="Search, or paste an ID"
        className={styles["input"]}
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Results" className={styles["list"]}>
        {items.map((item, index) => (
          <Option
            key={item.id}
            item={item}
            id={optionId(index)}
            selected={index === at}
            heading={items[index - 1]?.group !== item.group}
            point={() => setChosen(index)}
            choose={() => choose(item)}
          />
        ))}
        {items.length === 0 && <p className={styles["none"]}>Nothing found</p>}
      </div>
      <VisuallyHidden role="status">{items.length === 1 ? "1 result" : `${items.length} results`}</VisuallyHidden>
    </>
  );
}

type OptionProps = {
  item: Item;
  id: string;
  selected: boolean;
  heading: boolean;
  point: () => void;
  choose: () => void;
};

function Option({ item: { group, label, hint, reason }, id, selected, heading, point, choose }: OptionProps) {
  return (
    <>
      {heading && (
        <div className={styles["group"]} role="presentation">
          {group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        aria-disabled={reason !== undefined}
        className={styles["option"]}
        onPointerMove={point}
        onClick={choose}
      >
        <bdi className={styles["label"]}>{label}</bdi>
        {(reason ?? hint) !== undefined && <span className={styles["hint"]}>{reason ?? hint}</span>}
      </div>
    </>
  );
}
