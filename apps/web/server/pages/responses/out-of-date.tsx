/** @jsxImportSource preact */
import { MessagePage } from "../../../views/message.tsx";
import type { Visit } from "../../routing/visit.ts";
import { page } from "./respond.ts";

/** 409: the form is about something else than what this browser has by now, such as another mailed link or account. Nothing was done. */
export function outOfDate({ frame }: Pick<Visit, "frame">): Response {
  const { outOfDate: title, outOfDateText, account } = frame.texts.errors;
  const content = (
    <MessagePage frame={frame} title={title} action={{ label: account, href: "/account" }}>
      {outOfDateText}
    </MessagePage>
  );
  return page(content, { status: 409 });
}
