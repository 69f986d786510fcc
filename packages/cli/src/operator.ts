import { userInfo } from "node:os";
import type { Author } from "@gatehouse/console/permissions";

/**
 * Who runs a command: the operator, who can open the database and so acts as an admin. The audit log names the account
 * of the system.
 */
export function operator(): Author {
  return { role: "admin", id: "cli", name: accountName(), via: "cli", freshSince: null, address: null };
}

/** A container may run under a user id without an account. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return "operator";
  }
}
