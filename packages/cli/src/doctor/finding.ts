import type { Finding, Verdict } from "@gatehouse/webhooks/doctor";

/** A finding about the installation itself, not about one of its webhook endpoints. */
export const check = (id: string, title: string, verdict: Verdict): Finding => ({
  check: id,
  title,
  endpoint: null,
  ...verdict,
});
