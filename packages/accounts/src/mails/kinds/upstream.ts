import type { NoticeData } from "../notice-data.ts";

type IdentityNotice = NoticeData & {
  /** The name that an administrator gave the provider. */
  provider: string;
};

/** Each kind with the data of its template, in packages/mail/src/templates/upstream.ts. */
export type UpstreamMails = {
  identity_linked: IdentityNotice;
  identity_removed: IdentityNotice;
};
