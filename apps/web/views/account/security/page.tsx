/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { type AccountFrame, AccountLayout, PageHead } from "../layout.tsx";

/** How the user signs in: one section for each way, from server/pages/account/security/sections/sections.ts. */
export function SecurityPage(props: AccountFrame & { sections: ComponentChildren[]; script: boolean }) {
  const { security } = props.frame.texts;
  return (
    <AccountLayout {...props} title={security.title} current="/account/security">
      <PageHead title={security.title}>{security.text}</PageHead>
      {props.sections}
    </AccountLayout>
  );
}
