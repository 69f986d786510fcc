// What checking a token needs, in one chunk.

export { readAuthorization } from "@gatehouse/guard";
export { rejectionOf } from "./rejection.ts";
export { verifyRequest, verifySent } from "./verify.ts";
