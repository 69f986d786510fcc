import { Badge, type BadgeProps, Text } from "@mantine/core";
import type { Role } from "@/trpc/types.ts";

/** Every role, highest first. */
export const ROLES: Record<Role, { label: string; hint: string; color: string }> = {
  admin: { label: "Admin", hint: "Can manage everything, including production and users", color: "indigo" },
  developer: { label: "Developer", hint: "Can manage development and staging", color: "blue" },
  viewer: { label: "Viewer", hint: "Can view everything but change nothing", color: "gray" },
  user: { label: "User", hint: "Can sign in to applications but not to the console", color: "gray" },
};

const roles = Object.keys(ROLES) as Role[];

/** Options for a `<select>` of roles. */
export const roleOptions = roles.map((role) => ({ value: role, label: ROLES[role].label }));

export function isHigher(role: Role, than: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(than);
}

export function RoleBadge({ role, ...props }: BadgeProps & { role: Role }) {
  return (
    <Badge variant="light" color={ROLES[role].color} tt="none" miw="max-content" {...props}>
      {ROLES[role].label}
    </Badge>
  );
}

/** A role in a list: those of the console stand out. */
export function RoleName({ role }: { role: Role }) {
  return (
    <Text span size="sm" {...(role === "user" ? { c: "dimmed" } : { fw: 500 })}>
      {ROLES[role].label}
    </Text>
  );
}
