import { line } from "@gatehouse/operations/schemas";
import { z } from "zod";

const schema = z.object({
  name: line.trim().min(1, "Enter your name.").max(80, "Use a name with 80 characters or fewer."),
  email: z.string().trim().max(254, "That email address is too long.").pipe(z.email("Enter an email address like name@example.com.")),
  password: z.string().min(1, "Enter a password."),
});

type Draft = z.infer<typeof schema>;
type Fault = { field: keyof Draft; problem: string };

/** Reads the fields of the sign-up form and finds the first problem. */
export function readSignUp(form: URLSearchParams): { draft: Draft; fault: Fault | undefined } {
  const typed = { name: form.get("name") ?? "", email: form.get("email") ?? "", password: form.get("password") ?? "" };
  const parsed = schema.safeParse(typed);
  if (parsed.success) return { draft: parsed.data, fault: undefined };
  const [issue] = parsed.error.issues;
  return {
    draft: typed,
    fault: { field: (issue?.path[0] ?? "name") as keyof Draft, problem: sentence(issue?.message ?? "check the form") },
  };
}

/** Messages of shared rules follow a field name, so they start in lower case and lack a period. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
