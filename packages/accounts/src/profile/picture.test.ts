import { describe, expect, test } from "vitest";
import { pictureTypeOf } from "./picture.ts";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const webp = Buffer.concat([Buffer.from("RIFF"), Buffer.alloc(4), Buffer.from("WEBPVP8 ")]);

describe("RG-09 an uploaded picture", () => {
  test.each([
    ["image/png", new Uint8Array(PNG)],
    ["image/jpeg", new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
    ["image/webp", webp],
  ])("is recognized as %s by its bytes", (type, bytes) => {
    expect(pictureTypeOf(bytes)).toBe(type);
  });

  test.each([
    ["SVG, which can contain scripts", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ["HTML", Buffer.from("<!doctype html>")],
    ["GIF", Buffer.from("GIF89a")],
    ["another RIFF file", Buffer.from("RIFF....WAVE")],
    ["an empty file", new Uint8Array()],
  ])("is refused if it is %s", (_, bytes) => {
    expect(pictureTypeOf(bytes)).toBeUndefined();
  });
});
