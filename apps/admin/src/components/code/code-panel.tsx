"use client";

import { Button, CopyButton, Group, SegmentedControl, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy, IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useState } from "react";
import "./code.css";
import { CodeLines } from "./code-lines.tsx";
import { codeLines, linesWith, unfoldTo } from "./lines.ts";
import { prettyJson } from "./pretty-json.ts";
import { visibleText } from "./visible-text.ts";

/** Lines rendered at first, and with each "Show more". */
const LINES_STEP = 500;

type Props = {
  /** What is shown, for labels: "payload". */
  what: string;
  text: string;
  /** Extra controls at the right. */
  actions?: ReactNode;
  /** False if the text must not be copied, because it is masked. */
  copyable?: boolean;
};

/** Text with line numbers, search and copy; JSON can be shown formatted, with folding, or raw. */
export function CodePanel({ what, text, actions, copyable = true }: Props) {
  const pretty = useMemo(() => prettyJson(text), [text]);
  const [view, setView] = useState<"pretty" | "raw">("pretty");
  const formatted = pretty !== undefined && view === "pretty";
  const lines = useMemo(() => codeLines(visibleText(formatted ? pretty : text), formatted), [text, pretty, formatted]);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(LINES_STEP);
  const [query, setQuery] = useState("");
  const [match, setMatch] = useState(0);
  const searched = useDeferredValue(query);
  const matches = useMemo(() => linesWith(lines, searched), [lines, searched]);

  function goTo(next: number): void {
    const line = matches[next];
    if (line === undefined) return;
    setMatch(next);
    setFolded((blocks) => unfoldTo(lines, blocks, line));
    setShown((count) => Math.max(count, line + LINES_STEP));
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key !== "Enter" || matches.length === 0) return;
    event.preventDefault();
    goTo((match + (event.shiftKey ? matches.length - 1 : 1)) % matches.length);
  }

  return (
    <div className="code-panel">
      <Group gap="xs" justify="space-between" className="code-bar">
        <Group gap="xs" wrap="nowrap" style={{ flex: "1 1 14rem" }}>
          <TextInput
            size="xs"
            type="search"
            aria-label={`Search ${what}`}
            placeholder="Search"
            leftSection={<IconSearch size={14} aria-hidden="true" />}
            value={query}
            onChange={({ currentTarget }) => {
              setQuery(currentTarget.value);
              setMatch(0);
            }}
            onKeyDown={onKeyDown}
            style={{ flex: "0 1 14rem" }}
          />
          <Text size="xs" c="dimmed" role="status" style={{ whiteSpace: "nowrap" }}>
            {searched !== "" && (matches.length === 0 ? "No match" : `${match + 1} of ${matches.length}`)}
          </Text>
        </Group>
        <Group gap="xs">
          {pretty !== undefined && (
            <SegmentedControl
              size="xs"
              aria-label={`Format of the ${what}`}
              value={view}
              onChange={(chosen) => {
                setView(chosen === "raw" ? "raw" : "pretty");
                setFolded(new Set());
              }}
              data={[
                { value: "pretty", label: "Pretty" },
                { value: "raw", label: "Raw" },
              ]}
            />
          )}
          {actions}
          {copyable && <CopyText text={text} label={`Copy ${what}`} />}
        </Group>
      </Group>
      <CodeLines
        label={what}
        lines={lines}
        json={formatted}
        query={searched}
        current={matches[match]}
        folded={folded}
        toggle={(line) =>
          setFolded((blocks) =>
            blocks.has(line) ? new Set([...blocks].filter((one) => one !== line)) : new Set([...blocks, line]),
          )
        }
        shown={shown}
        showMore={() => setShown((count) => count + LINES_STEP)}
      />
    </div>
  );
}

/** A button that copies text and says so, to screen readers as well. CO-82. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <>
          <Button
            size="xs"
            variant="default"
            onClick={copy}
            leftSection={
              copied ? <IconCheck size={14} aria-hidden="true" /> : <IconCopy size={14} aria-hidden="true" />
            }
          >
            {copied ? "Copied" : label}
          </Button>
          <VisuallyHidden aria-live="polite">{copied ? "Copied" : ""}</VisuallyHidden>
        </>
      )}
    </CopyButton>
  );
}
