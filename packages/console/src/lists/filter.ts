/** Free text of at most this many characters. Surrounding spaces are removed. */
type Text = { kind: "text"; maxLength: number };
/** One of these values. */
type Choice<Value extends string = string> = { kind: "choice"; values: readonly Value[] };
/** A time in Unix seconds, inclusive. */
type Instant = { kind: "instant" };

export type Filter = Text | Choice | Instant;
/** The filters of a list, by name. The name is the same in the URL, in the procedure's input and in the query. */
export type Filters = Readonly<Record<string, Filter>>;

type ValueOf<Of> = Of extends Choice<infer Value> ? Value : Of extends Instant ? number : string;
/** The values of a list's filters; every filter is optional. */
export type FilterValues<Of extends Filters> = { [Name in keyof Of]?: ValueOf<Of[Name]> | undefined };

/** What a list is asked for: its filters, the `nextCursor` of the page before, and the page's size. */
export type ListInput<Values> = Values & { cursor?: string | null | undefined; limit: number };

export const text = (maxLength: number): Text => ({ kind: "text", maxLength });
export const choice = <Value extends string>(values: readonly Value[]): Choice<Value> => ({ kind: "choice", values });
export const instant: Instant = { kind: "instant" };
