import { afterAll, beforeAll, expect, test } from "vitest";
import { openPages, PASSWORD, type Pages } from "../testing/pages.ts";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());

test("SN-04 EM-03 a sign-in from a new browser leaves no session if its mail cannot be queued", async () => {
  pages.app.beginDraining(); // no mail is sent, so that ids stay taken
  const { deps } = pages.app;
  const { id, email } = await pages.account({ totp: false });
  const signIn = async () => {
    const browser = pages.newBrowser();
    const answer = await browser.post("/sign-in", { email, password: PASSWORD }).catch(() => undefined);
    return answer?.response.status;
  };
  const sessions = async () => (await deps.store.listSessions(id, deps.now())).length;
  const { compose } = deps.mail;
  const [first] = [
    compose("new_sign_in", {
      to: email,
      trusted: true,
      userId: id,
      locale: "en",
      data: { at: deps.now(), address: null, userAgent: null },
    }),
  ];
  try {
    deps.mail.compose = () => first;
    expect([await signIn(), await sessions()]).toEqual([303, 1]);
    expect(await signIn()).not.toBe(303); // the mail's id is taken
    expect(await sessions()).toBe(1);
  } finally {
    deps.mail.compose = compose;
  }
  expect([await signIn(), await sessions()]).toEqual([303, 2]);
});
