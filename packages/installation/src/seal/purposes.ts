import {
  type MailedTokenPurpose,
  mailedDataPurpose,
  secretPurpose,
  totpPurpose,
  UPSTREAM_ID_TOKEN,
} from "@gatehouse/accounts";
import { type Hash, SIGNING_KEY_PURPOSE } from "@gatehouse/auth";
import type { SealedColumnName, SealedValue } from "@gatehouse/db/stores/seal/sealed-columns";
import { WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db/stores/webhooks/store";
import { mailPurpose } from "@gatehouse/mail";

/** What the values of each column are sealed for. */
export const PURPOSES: Readonly<Record<SealedColumnName, (value: SealedValue) => string>> = {
  signing_keys: () => SIGNING_KEY_PURPOSE,
  webhook_secrets: () => WEBHOOK_SECRET_PURPOSE,
  sign_in_providers: ({ key }) => secretPurpose(key),
  totp_secrets: ({ key }) => totpPurpose(key),
  mailed_tokens: ({ key, kind }) => mailedDataPurpose({ hash: key as Hash, purpose: kind as MailedTokenPurpose }),
  mails: ({ key }) => mailPurpose(key),
  sessions: () => UPSTREAM_ID_TOKEN,
};
