import { OAuthError } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { readUpload } from "./form.ts";

const forged = new OAuthError("invalid_request", "csrf_failed", "no csrf token", { status: 403 });
const check = (form: URLSearchParams) => (form.get("csrf") === "good" ? undefined : forged);
const part = (name: string, value: string, more = "") =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const upload = (body: string) => {
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  return readUpload(new Request("http://form.invalid", { method: "POST", body, headers }), check);
};
const FILE = part("picture", "bytes", '; filename="me.png"');

describe("N16 an upload", () => {
  test("has its fields and files, if its first field is the CSRF token", async () => {
    const {
      form,
      files,
      forged: error,
    } = await upload(`${part("csrf", "good")}${part("action", "upload")}${FILE}--x--`);
    expect([error, form.toString(), [...files.keys()]]).toEqual([undefined, "csrf=good&action=upload", ["picture"]]);
  });

  test.each([
    ["of another site", `${part("csrf", "bad")}${part("action", "remove")}${FILE}--x--`],
    ["whose token comes after the file", `${FILE}${part("csrf", "good")}--x--`],
    ["whose rest is broken, since the rest is not read", `${part("csrf", "bad")}${FILE}`.slice(0, -2)],
    ["of a hundred thousand parts, of which one is read", `${part("csrf", "bad")}${part("a", "").repeat(15_000)}`],
    ["without anything", "--x--"],
  ])("%s is forged", async (_, body) => {
    const { form, files, forged: error } = await upload(body);
    expect([error, [...form.keys()].length <= 1, files.size]).toEqual([forged, true, 0]);
  });

  test.each([
    ["a repeated field", `${part("csrf", "good")}${part("csrf", "good")}--x--`],
    [
      "more parts than any of our forms",
      `${part("csrf", "good")}${Array.from({ length: 10 }, (_, at) => part(`f${at}`, "")).join("")}--x--`,
    ],
  ])("with %s is refused", async (_, body) => {
    await expect(upload(body)).rejects.toMatchObject({ refusalCause: "body_unreadable" });
  });
});
