import { describe, expect, test } from "vitest";
import { maskedJson } from "./masked-json.ts";

describe("a masked payload, CO-02", () => {
  test("keeps names and shape, and no value", () => {
    const body =
      '{"id":"evt_1","livemode":true,"n":-1.5e3,"none":null,"list":["a",{"email":"jenny@example.com"}],"empty":{}}';
    const masked = maskedJson(body) ?? "";
    expect(JSON.parse(masked)).toEqual({
      id: "•••",
      livemode: "•••",
      n: "•••",
      none: "•••",
      list: ["•••", { email: "•••" }],
      empty: {},
    });
  });

  test.each([
    ['{"jenny@example.com":1}', "jenny"],
    ['{"a":"\\"secret\\": \\\\"}', "secret"],
    ['["4242 4242"]', "4242"],
  ])("hides what is data in %s", (body, data) => {
    expect(maskedJson(body)).toBeDefined();
    expect(maskedJson(body)).not.toContain(data);
  });

  test.each(["", "id=tr_1", '"text"', "{broken", `["${"x".repeat(200_000)}"]`])(
    "is not available for %.20j",
    (body) => {
      expect(maskedJson(body)).toBeUndefined();
    },
  );
});
