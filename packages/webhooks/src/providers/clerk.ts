import { standardScheme } from "./standard-webhooks.ts";
import { SVIX_DELIVERY } from "./svix.ts";

/** Clerk sends through Svix. It is a separate provider so that it has its own secret and its own place in the log. */
export const clerk = standardScheme({
  name: "Clerk",
  headerPrefixes: ["svix", "webhook"],
  facts: {
    ...SVIX_DELIVERY,
    secretHelp: "Webhooks → your endpoint → Signing Secret, whsec_…",
    docsUrl: "https://clerk.com/docs/webhooks/overview",
  },
  samples: {
    "user.created": event("user.created", {
      id: "user_sample",
      object: "user",
      first_name: "Ada",
      last_name: "Lovelace",
      primary_email_address_id: "idn_sample",
      email_addresses: [{ id: "idn_sample", object: "email_address", email_address: "ada@example.com" }],
    }),
    "user.deleted": event("user.deleted", { id: "user_sample", object: "user", deleted: true }),
    "organization.created": event("organization.created", {
      id: "org_sample",
      object: "organization",
      name: "Example",
      slug: "example",
    }),
  },
});

function event(type: string, data: unknown) {
  return { object: "event", type, timestamp: 1767225600000, instance_id: "ins_sample", data };
}
