/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { RefusedPage } from "./message.tsx";
import { Name, Rich } from "./rich.tsx";
import { frame } from "./testing/frame.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  "</title><script>alert(1)</script>",
  "</textarea><img src=x onerror=alert(1)>",
  `" autofocus onfocus="alert(1)`,
  "' autofocus onfocus='alert(1)",
  "<!-- --><![CDATA[<svg onload=alert(1)>",
  "&lt;script&gt; &#60;script&#62; &quot;",
  "{app} \u0000 \u2028 <",
];

/** What a browser reads where this is text or a value in double quotes. */
const read = (html: string) => html.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

describe.each(HOSTILE)("SE-13 %j", (hostile) => {
  test("ends no element and no attribute, and is read as it was written", () => {
    const html = renderToString(
      <form action={hostile} title={hostile} data-x={hostile} style={hostile}>
        <title>{hostile}</title>
        <textarea>{hostile}</textarea>
        <input value={hostile} {...{ placeholder: hostile }} />
        <Rich text={`{app} ${hostile.replaceAll("{app}", "")}`} slots={{ app: <Name>{hostile}</Name> }} />
      </form>,
    );
    expect(html.match(/<\/?\w+/g)).toEqual([
      "<form",
      "<title",
      "</title",
      "<textarea",
      "</textarea",
      "<input",
      "<bdi",
      "</bdi",
      "</form",
    ]);
    const values = [...html.matchAll(/ [\w-]+="([^"]*)"/g)].map(([, value]) => read(value ?? ""));
    expect(values).toEqual(Array(6).fill(hostile));
    expect(read(/<title>([^<]*)</.exec(html)?.[1] ?? "")).toBe(hostile);
    expect(read(/<bdi>([^<]*)</.exec(html)?.[1] ?? "")).toBe(hostile);
  });
});

test("SE-13 an object that looks like an element is not one", () => {
  const props = { dangerouslySetInnerHTML: { __html: "<script>alert(1)</script>" }, children: "x" };
  for (const like of [
    { type: "script", props },
    { type: "b", props, key: null, ref: null, constructor: null, __k: null, __v: 1 },
  ]) {
    const detail = JSON.parse(JSON.stringify(like));
    expect(renderToString(<p>{detail as ComponentChildren}</p>)).toBe("<p></p>");
    expect(renderToString(<RefusedPage frame={frame()} detail={detail} errorId="1" />)).not.toContain("alert");
  }
});
