/** A longer line is cut on screen; copying gives all of it. */
const MAX_LINE_LENGTH = 4_000;

/** One line of a code panel. */
export type CodeLine = {
  text: string;
  /** The number of characters left out at the end. */
  cut: number;
  /** The index of the line with the closing bracket, if this line opens an object or array. */
  closedBy: number | null;
};

/**
 * Splits text into lines. With `foldable`, the text is formatted JSON: a line that ends with a bracket opens a block.
 */
export function codeLines(text: string, foldable: boolean): CodeLine[] {
  const lines = text.split("\n").map((line): CodeLine => {
    const shown = line.slice(0, MAX_LINE_LENGTH);
    return { text: shown, cut: line.length - shown.length, closedBy: null };
  });
  if (!foldable) return lines;
  const open: CodeLine[] = [];
  lines.forEach((line, index) => {
    // A string never spans lines, and a line that ends inside one ends with a quote, so these brackets are never part
    // of a string.
    if (/^\s*[}\]]/.test(line.text)) {
      const opener = open.pop();
      if (opener) opener.closedBy = index;
    }
    if (/[{[]$/.test(line.text)) open.push(line);
  });
  return lines;
}

/** The indexes of the lines that are not inside a folded block. */
export function unfoldedLines(lines: readonly CodeLine[], folded: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    shown.push(index);
    const end = folded.has(index) ? lines[index]?.closedBy : null;
    if (end !== null && end !== undefined) index = end;
  }
  return shown;
}

/** The folded blocks without those that contain line `target`. */
export function unfoldTo(lines: readonly CodeLine[], folded: ReadonlySet<number>, target: number): ReadonlySet<number> {
  return new Set([...folded].filter((index) => !(index < target && target <= (lines[index]?.closedBy ?? -1))));
}

export type PieceKind = "key" | "string" | "number" | "word" | "plain";
export type Piece = { text: string; kind: PieceKind /** True inside a search match. */; marked: boolean };

const TOKENS = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** The parts of one line: JSON tokens if `json`, split again at the matches of `query`, whose case is ignored. */
export function piecesOf(line: string, json: boolean, query: string): Piece[] {
  const marks = matchesIn(line, query);
  return (json ? tokensOf(line) : [{ text: line, kind: "plain" as const, from: 0 }]).flatMap((token) =>
    splitAtMarks(token, marks),
  );
}

type Token = { text: string; kind: PieceKind; from: number };

function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (to: number, kind: PieceKind) => {
    if (to > at) tokens.push({ text: line.slice(at, to), kind, from: at });
    at = Math.max(at, to);
  };
  for (const match of line.matchAll(TOKENS)) {
    const [whole, quoted, colon, number] = match;
    push(match.index, "plain");
    if (quoted !== undefined) {
      push(match.index + quoted.length, colon === undefined ? "string" : "key");
      push(match.index + whole.length, "plain");
    } else push(match.index + whole.length, number === undefined ? "word" : "number");
  }
  push(line.length, "plain");
  return tokens;
}

/** The positions at which `query` starts in `line`, with case ignored. */
function matchesIn(line: string, query: string): { from: number; to: number }[] {
  if (query === "") return [];
  const [text, wanted] = [line.toLowerCase(), query.toLowerCase()];
  const found: { from: number; to: number }[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
    found.push({ from: at, to: at + wanted.length });
  return found;
}

function splitAtMarks({ text, kind, from }: Token, marks: readonly { from: number; to: number }[]): Piece[] {
  const end = from + text.length;
  const cuts = marks.flatMap((mark) => [mark.from, mark.to]).filter((at) => at > from && at < end);
  const edges = [from, ...cuts, end];
  return edges.slice(1).map((to, index) => {
    const start = edges[index] ?? from;
    const marked = marks.some((mark) => mark.from <= start && to <= mark.to);
    return { text: text.slice(start - from, to - from), kind, marked };
  });
}

/** The indexes of the lines that contain `query`, with case ignored. */
export function linesWith(lines: readonly CodeLine[], query: string): number[] {
  const wanted = query.toLowerCase();
  if (wanted === "") return [];
  return lines.flatMap(({ text }, index) => (text.toLowerCase().includes(wanted) ? [index] : []));
}
