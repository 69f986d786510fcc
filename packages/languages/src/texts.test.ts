import { describe, expect, test } from "vitest";
import { LOCALES } from "./locales.ts";
import { textsFor } from "./texts.ts";

/** Every text of a language by its path. A function is called with markers, so that its text can be compared too. */
function leaves(node: unknown, path: string): [path: string, text: string][] {
  if (typeof node === "string") return [[path, node]];
  if (typeof node === "function")
    return [[path, String(node(...Array.from({ length: node.length }, (_, index) => index + 3)))]];
  return Object.entries(node as object).flatMap(([key, value]) => leaves(value, `${path}.${key}`));
}

const english = new Map(leaves(textsFor("en"), ""));
const slotsOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([slot]) => slot).toSorted();

describe.each(LOCALES)("LG-02 the texts in %s", (locale) => {
  const texts = leaves(textsFor(locale), "");

  test("have the keys of English, none empty", () => {
    expect(texts.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
    expect(texts.filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test("have the slots of English", () => {
    const different = texts.filter(([path, text]) => slotsOf(text).join() !== slotsOf(english.get(path) ?? "").join());
    expect(different).toEqual([]);
  });
});

test.each(LOCALES.filter((locale) => locale !== "en"))("LG-02 no sentence in %s was left in English", (locale) => {
  const same = leaves(textsFor(locale), "").filter(
    ([path, text]) => text === english.get(path) && text.split(" ").length > 3,
  );
  expect(same).toEqual([]);
});

// WCAG 2.2 §2.5.3: people who speak to their computer say what they see.
test.each(LOCALES)("AX-01 in %s the longer name of a button contains its text", (locale) => {
  const { sessions, apps } = textsFor(locale);
  expect(sessions.endOf("Firefox")).toContain(sessions.end);
  expect(apps.revokeOf("Shop")).toContain(apps.revoke);
});
