import type { Metadata } from "next";
import { forbidden } from "next/navigation";
import { env } from "@/env.ts";
import { NewApplication } from "@/features/applications/new/new-application.tsx";
import { currentMe } from "@/trpc/server.tsx";

export const metadata: Metadata = { title: "New application" };

export default async function NewApplicationPage() {
  if (!(await currentMe()).can.manageDevelopment) forbidden();
  return <NewApplication issuer={env().issuer} />;
}
