import { describe, expect, test } from "vitest";
import { troubleIn } from "./trouble.ts";

const mail = { state: "queued", attempts: 1, createdAt: 100, sentAt: null, answer: "421 later" } as const;
const sentAt = (at: number) => ({ ...mail, state: "sent", createdAt: at - 1, sentAt: at, answer: "250 OK" }) as const;

describe("EM-03 the SMTP server is in trouble", () => {
  test("when two mails were not taken, with the last answer", () => {
    expect(troubleIn([{ ...mail, createdAt: 200, answer: "535 bad password" }, mail])).toEqual({
      since: 100,
      mails: 2,
      answer: "535 bad password",
    });
  });

  test("when one mail was not taken three times, or never", () => {
    expect(troubleIn([{ ...mail, attempts: 3 }])).toMatchObject({ mails: 1 });
    expect(troubleIn([{ ...mail, state: "failed", attempts: 6 }])).toMatchObject({ mails: 1 });
  });

  test.each([
    ["one mail has to wait", [mail]],
    ["a mail has not been tried", [{ ...mail, attempts: 0 }, mail]],
    ["addresses do not exist", [{ ...mail, state: "failed" } as const, { ...mail, state: "failed" } as const]],
    ["mails are held back", [{ ...mail, state: "dropped" } as const, { ...mail, state: "dropped" } as const]],
    ["a later mail has arrived", [sentAt(300), { ...mail, createdAt: 200 }, mail]],
    ["an older mail has arrived after all", [{ ...mail, createdAt: 200 }, mail, sentAt(250)]],
    ["there are no mails", []],
  ])("but not when %s", (_, mails) => {
    expect(troubleIn(mails)).toBeNull();
  });
});
