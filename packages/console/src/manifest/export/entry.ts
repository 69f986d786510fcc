import type { ManagedKey } from "../../managed/queries.ts";

/** A part of the file: members that are undefined are left out of it. */
export type Entry = { [member: string]: unknown };

export const text = (value: string) => value;

/** Sorted by code points, so that the order does not depend on the machine's language. */
export function ordered<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return items.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

/** The same value with the members of every object in order: databases and forms keep them in any order. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    ordered(Object.entries(value), ([name]) => name).map(([name, member]) => [name, canonical(member)]),
  );
}

/** What a file states: by the file's names, without what it leaves out. */
export function stated(members: object): Entry {
  return Object.fromEntries(Object.entries(snakeCased(members)).filter(([, value]) => value !== undefined));
}

/** Every member as null, which stands for the default. */
export const noneOf = (members: object): Entry => Object.fromEntries(Object.keys(members).map((name) => [name, null]));

/** `accessTokenSeconds` is `access_token_seconds` in the file. */
export const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function snakeCased(members: object): Entry {
  const named = Object.entries(members).map(([name, value]) => [snakeCase(name), value]);
  return Object.fromEntries(ordered(named, ([name = ""]) => name));
}

/** An object with what a file states about it, by the file's names and without secrets. CO-73. */
export type StatedObject = ManagedKey & { settings: Entry };
