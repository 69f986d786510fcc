import { describe, expect, test } from "vitest";
import { MultipartError, partsOf } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=edge";
const read = (body: string | Uint8Array, type = TYPE) =>
  [...partsOf(Buffer.from(body), type)].map(({ name, isFile, bytes }) => [
    name,
    isFile,
    Buffer.from(bytes).toString("latin1"),
  ]);
const part = (name: string, value: string, more = "") =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

describe("a form with files", () => {
  test("is read as the browser's own parser reads it", async () => {
    const form = new FormData();
    form.set("csrf", "t\u00f6ken\r\n--x");
    form.set(
      "picture",
      new File([new Uint8Array([0, 13, 10, 45, 45, 255])], 'a"; name="csrf".png', { type: "image/png" }),
    );
    form.set("empty", "");
    const request = new Request("http://form.invalid", { method: "POST", body: form });
    const bytes = new Uint8Array(await request.arrayBuffer());
    const parts = [...partsOf(bytes, request.headers.get("content-type") ?? "")];
    expect(parts.map(({ name, isFile }) => [name, isFile])).toEqual([
      ["csrf", false],
      ["picture", true],
      ["empty", false],
    ]);
    expect(Buffer.from(parts[0]?.bytes ?? []).toString()).toBe("t\u00f6ken\r\n--x");
    expect([...(parts[1]?.bytes ?? [])]).toEqual([0, 13, 10, 45, 45, 255]);
  });

  test("may quote its boundary, and have nothing in it", () => {
    expect(read(`${part("a", "1")}--edge--\r\n`, 'multipart/form-data; charset=utf-8; boundary="edge"')).toEqual([
      ["a", false, "1"],
    ]);
    expect(read("--edge--")).toEqual([]);
  });

  test.each<[string, string, string?]>([
    ["no boundary in its type", "--edge--", "multipart/form-data"],
    ["another boundary", "--other--"],
    ["no boundary at all", ""],
    ["text in front of the first part", ` ${part("a", "1")}--edge--`],
    ["a part that does not end", '--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
    ["a part without a name", "--edge\r\nContent-Disposition: form-data\r\n\r\n1\r\n--edge--"],
    ["a part without a head", "--edge\r\n\r\n1\r\n--edge--"],
    ["a head of more than a kibibyte", `${part("a", "1", `\r\nX-Long: ${"x".repeat(1024)}`)}--edge--`],
    ["a boundary in the middle of a line", "--edgeX"],
  ])("with %s is refused", (_, body, type = TYPE) => {
    expect(() => read(body, type)).toThrow(MultipartError);
  });

  test("of a mebibyte of empty parts costs ten parts", () => {
    const parts = partsOf(Buffer.from(part("a", "").repeat(16_000)), TYPE);
    const taken: string[] = [];
    expect(() => {
      for (const { name } of parts) taken.push(name);
    }).toThrow("more than 10 parts");
    expect(taken).toHaveLength(10);
  });
});
