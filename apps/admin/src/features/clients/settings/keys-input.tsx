"use client";

import { Textarea } from "@mantine/core";
import { useState } from "react";
import { type EditProps, errorAt, hintOf, setValue } from "./field.ts";
import { readKeySet } from "./jwks.ts";

/**
 * A client's public keys, pasted as JSON. Text that is no set of public keys stays in the form as a string, which
 * `checkKeys` refuses.
 */
export function KeysInput({ form, field, place }: EditProps) {
  const value: unknown = form.values.options.jwks;
  const [typed, setTyped] = useState("");
  const text = same(readOf(typed), value) ? typed : textOf(value);
  const change = (next: string) => {
    setTyped(next);
    setValue(form, "options.jwks", readOf(next));
  };
  return (
    <Textarea
      label={field.label}
      description={hintOf(field, place)}
      placeholder='{ "keys": [{ "kty": "EC", "crv": "P-256", "x": "…", "y": "…" }] }'
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={typeof value === "string" ? messageOf(value) : errorAt(form, "options.jwks")}
      autosize
      minRows={4}
      maxRows={16}
      maxLength={32_768}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--gh-font-mono)", fontSize: "12.5px" } }}
    />
  );
}

/** A key set; the text itself if it is none; undefined for no text. */
function readOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  const read = readKeySet(text);
  return typeof read === "string" ? text : read;
}

function messageOf(text: string): string | undefined {
  const read = readKeySet(text);
  return typeof read === "string" ? read : undefined;
}

const textOf = (value: unknown) =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 2);
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
