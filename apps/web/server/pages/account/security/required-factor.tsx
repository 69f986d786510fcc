/** @jsxImportSource preact */
import { MessagePage } from "../../../../views/message.tsx";
import type { Visit } from "../../../routing/visit.ts";
import { page } from "../../responses/respond.ts";

/** 409: the user must have a second factor, and this is the last one. N61. */
export function refuseRemoval({ frame }: Pick<Visit, "frame">): Response {
  const { secondStep } = frame.texts;
  const content = (
    <MessagePage
      frame={frame}
      title={secondStep.title}
      action={{ label: secondStep.security, href: "/account/security" }}
    >
      {secondStep.notices.required}
    </MessagePage>
  );
  return page(content, { status: 409 });
}
