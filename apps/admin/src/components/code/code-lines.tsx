"use client";

import { Button } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { type CodeLine, type PieceKind, piecesOf, unfoldedLines } from "./lines.ts";

type Props = {
  label: string;
  lines: readonly CodeLine[];
  json: boolean;
  query: string;
  /** The line of the current search match. */
  current: number | undefined;
  folded: ReadonlySet<number>;
  toggle: (line: number) => void;
  /** How many unfolded lines are rendered. */
  shown: number;
  showMore: () => void;
};

/** The numbered lines of a code panel. */
export function CodeLines({ label, lines, json, query, current, folded, toggle, shown, showMore }: Props) {
  const unfolded = unfoldedLines(lines, folded);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current !== undefined)
      frame.current?.querySelector(`[data-line="${current}"]`)?.scrollIntoView({ block: "nearest" });
  }, [current]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboard users must be able to focus it
    <section className="code-frame" ref={frame} aria-label={label} tabIndex={0}>
      <div className="code-lines">
        {unfolded.slice(0, shown).map((index) => (
          <Line
            key={index}
            index={index}
            line={lines[index] as CodeLine}
            closing={folded.has(index) ? lines[lines[index]?.closedBy ?? -1]?.text.trim() : undefined}
            json={json}
            query={query}
            current={current === index}
            toggle={toggle}
          />
        ))}
      </div>
      {unfolded.length > shown && (
        <Button size="xs" variant="subtle" onClick={showMore} m="xs">
          Show more: {(unfolded.length - shown).toLocaleString("en")} lines left
        </Button>
      )}
    </section>
  );
}

const CLASSES: Record<PieceKind, string | undefined> = {
  key: "code-key",
  string: "code-string",
  number: "code-number",
  word: "code-word",
  plain: undefined,
};

type LineProps = Pick<Props, "json" | "query" | "toggle"> & {
  index: number;
  line: CodeLine;
  /** The closing bracket, if the line's block is folded. */
  closing: string | undefined;
  current: boolean;
};

function Line({ index, line, closing, json, query, current, toggle }: LineProps) {
  const isFolded = closing !== undefined;
  return (
    <div className="code-line" data-line={index} data-current={current || undefined}>
      <span className="code-number-cell" aria-hidden="true">
        {index + 1}
      </span>
      <span className="code-fold-cell">
        {line.closedBy !== null && (
          <button
            type="button"
            className="code-fold"
            aria-expanded={!isFolded}
            aria-label={`${isFolded ? "Unfold" : "Fold"} line ${index + 1}`}
            onClick={() => toggle(index)}
          >
            {isFolded ? (
              <IconChevronRight size={14} aria-hidden="true" />
            ) : (
              <IconChevronDown size={14} aria-hidden="true" />
            )}
          </button>
        )}
      </span>
      <code className="code-text">
        {piecesOf(line.text, json, query).map(({ text, kind, marked }, piece) => {
          const Piece = marked ? "mark" : "span";
          return (
            <Piece key={piece} className={CLASSES[kind]}>
              {text}
            </Piece>
          );
        })}
        {line.cut > 0 && <span className="code-note"> … {line.cut.toLocaleString("en")} more characters</span>}
        {isFolded && <span className="code-note"> … {closing}</span>}
      </code>
    </div>
  );
}
