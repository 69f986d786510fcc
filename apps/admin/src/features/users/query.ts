import type { Role, User } from "@/trpc/types.ts";

export const ROLES: Record<Role, { label: string; hint: string; color: string }> = {
  admin: { label: "Admin", hint: "Everything, production and people included", color: "indigo" },
  developer: { label: "Developer", hint: "Manages development and staging", color: "blue" },
  viewer: { label: "Viewer", hint: "Looks, changes nothing", color: "gray" },
  user: { label: "User", hint: "Signs in to applications, not to the console", color: "gray" },
};

export const roles = Object.keys(ROLES) as Role[];

export function isHigher(role: Role, than: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(than);
}

/** False for a person who signed up and never verified the address: the server gives such an account no role above User. */
export function isVouchedFor({ registeredBy, emailVerifiedAt }: Pick<User, "registeredBy" | "emailVerifiedAt">): boolean {
  return registeredBy === "operator" || emailVerifiedAt !== null;
}

export function isRole(value: string): value is Role {
  return Object.hasOwn(ROLES, value);
}

/** What the list asks for, the same on the server and in the browser. */
export function userListInput(query: string, role: string) {
  return { limit: 50, ...(query === "" ? {} : { query: query.slice(0, 200) }), ...(isRole(role) ? { role } : {}) };
}
