import { randomBytes } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { LOGO_PROBLEMS, LOGO_RULES } from "./logo.ts";
import { reEncodePicture as reEncode } from "./re-encode.ts";
import { USER_PICTURE_RULES } from "./user-picture.ts";

const PNG_HEADER = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RED = { r: 255, g: 0, b: 0, alpha: 0.5 };

const MAX_LOGO_UPLOAD_BYTES = LOGO_RULES.maxBytes;
/** As logos are, with the words of the field. */
async function reEncodePicture(bytes: Uint8Array) {
  const result = await reEncode(bytes, LOGO_RULES);
  return "problem" in result ? { problem: LOGO_PROBLEMS[result.problem] } : result;
}

const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: RED } });
const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 4), { raw: { width, height, channels: 4 } });

/** Two frames, red above green. */
const animated = () =>
  sharp(Buffer.from([255, 0, 0, 0, 255, 0]), { raw: { width: 1, height: 2, channels: 3, pageHeight: 1 } })
    .webp({ lossless: true, loop: 0, delay: [100, 100] })
    .toBuffer();

async function encoded(upload: Sharp | Buffer) {
  const result = await reEncodePicture(Buffer.isBuffer(upload) ? upload : await upload.png().toBuffer());
  if ("problem" in result) throw new Error(result.problem);
  expect(result.type).toBe("image/webp");
  return { bytes: Buffer.from(result.bytes), about: await sharp(result.bytes).metadata() };
}

async function pixel(bytes: Buffer) {
  return [...(await sharp(bytes).ensureAlpha().raw().toBuffer()).subarray(0, 4)];
}

describe("CO-68 an uploaded logo is encoded again", () => {
  test("fitted into 512 × 128, and never enlarged", async () => {
    expect((await encoded(plain(1_024, 128))).about).toMatchObject({ format: "webp", width: 512, height: 64 });
    expect((await encoded(plain(300, 600))).about).toMatchObject({ width: 64, height: 128 });
    expect((await encoded(plain(24, 20))).about).toMatchObject({ width: 24, height: 20 });
  });

  test("its transparency stays", async () => {
    expect(await pixel((await encoded(plain(40, 20))).bytes)).toEqual([255, 0, 0, 128]);
  });

  test("a photograph on its side is turned upright, and none of its metadata is kept", async () => {
    const exif = { IFD0: { Copyright: "somebody at home", Orientation: "6" } };
    const photograph = await plain(100, 50)
      .removeAlpha()
      .jpeg()
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(photograph).metadata()).orientation).toBe(6);
    const { bytes, about } = await encoded(photograph);
    expect([about.width, about.height]).toEqual([50, 100]);
    expect([about.exif, about.icc, about.xmp, about.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(bytes.includes("somebody at home")).toBe(false);
  });

  test("of an animation only the first frame is kept", async () => {
    const upload = await animated();
    expect((await sharp(upload).metadata()).pages).toBe(2);
    const { bytes, about } = await encoded(upload);
    expect([about.pages ?? 1, about.width, about.height, await pixel(bytes)]).toEqual([1, 1, 1, [255, 0, 0, 255]]);
  });

  test("what follows the picture in the file is not kept", async () => {
    const upload = Buffer.concat([await plain(10, 10).png().toBuffer(), Buffer.from("<script>alert(1)</script>")]);
    expect((await encoded(upload)).bytes.includes("script")).toBe(false);
  });

  test("even noise has at most 100 kB", async () => {
    const upload = await noise(512, 128).webp({ quality: 90 }).toBuffer();
    expect(upload.byteLength).toBeLessThan(MAX_LOGO_UPLOAD_BYTES);
    expect((await encoded(upload)).bytes.byteLength).toBeLessThanOrEqual(100_000);
  });

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    [
      "SVG, which can contain scripts",
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /PNG, JPEG or WebP/,
    ],
    ["an empty file", () => Buffer.alloc(0), /PNG, JPEG or WebP/],
    [
      "HTML with the first bytes of a PNG",
      () => Buffer.concat([PNG_HEADER, Buffer.from("<!doctype html>")]),
      /read as a picture/,
    ],
    [
      "SVG with the first bytes of a JPEG",
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from("<svg/>")]),
      /read as a picture/,
    ],
    ["cut off", async () => (await noise(50, 50).png().toBuffer()).subarray(0, 4_000), /read as a picture/],
    ["of 5 megapixels", () => plain(2_500, 2_000).png().toBuffer(), /4 megapixels/],
    ["larger than 180 KiB", () => Buffer.concat([PNG_HEADER, Buffer.alloc(MAX_LOGO_UPLOAD_BYTES)]), /180 KiB/],
  ])("a file that is %s is refused", async (_, file, problem) => {
    expect(await reEncodePicture(await file())).toEqual({ problem: expect.stringMatching(problem) });
  });

  test("after a refused file, the next one is encoded", async () => {
    const [refused, next] = await Promise.all([reEncodePicture(PNG_HEADER), encoded(plain(8, 8))]);
    expect(refused).toHaveProperty("problem");
    expect(next.about.width).toBe(8);
  });

  test("beyond twenty that wait, further ones are refused instead of kept in memory", async () => {
    const upload = await plain(8, 8).png().toBuffer();
    const results = await Promise.all(Array.from({ length: 25 }, () => reEncode(upload, LOGO_RULES)));
    expect(results.map((result) => ("problem" in result ? result.problem : "encoded"))).toEqual([
      ...Array(20).fill("encoded"),
      ...Array(5).fill("busy"),
    ]);
    expect(await reEncode(upload, LOGO_RULES)).toHaveProperty("type", "image/webp");
  });
});

describe("RG-09 an uploaded picture of a user is encoded again", () => {
  test("a photograph keeps neither the place where it was taken nor anything else besides its pixels", async () => {
    const taken = {
      IFD0: { Copyright: "somebody at home" },
      IFD3: { GPSLatitude: "48/1 8/1 0/1", GPSLatitudeRef: "N" },
    };
    const photograph = await plain(800, 400)
      .removeAlpha()
      .jpeg()
      .withExif(taken)
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(photograph).metadata()).exif).toBeDefined();
    const result = await reEncode(photograph, USER_PICTURE_RULES);
    if ("problem" in result) throw new Error(result.problem);
    const about = await sharp(result.bytes).metadata();
    expect([about.format, about.width, about.height]).toEqual(["webp", 128, 256]);
    expect([about.exif, about.icc, about.xmp, about.iptc, about.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    for (const text of ["somebody at home", "Exif", "GPS"])
      expect(Buffer.from(result.bytes).includes(text)).toBe(false);
  });

  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ["SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "other_file"],
    ["the first bytes of a PNG alone", () => PNG_HEADER, "damaged"],
    ["more than 256 KiB", () => Buffer.concat([PNG_HEADER, Buffer.alloc(256 * 1024)]), "too_large"],
    ["more than 12 megapixels", () => plain(4_001, 3_000).png().toBuffer(), "too_many_pixels"],
  ])("%s is refused", async (_, file, problem) => {
    expect(await reEncode(await file(), USER_PICTURE_RULES)).toEqual({ problem });
  });
});
