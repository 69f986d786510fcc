import type { Metadata } from "next";
import { MessagePage } from "@/components/message-page.tsx";
import { ReportCallback } from "@/features/clients/try/report-callback.tsx";

export const metadata: Metadata = { title: "Test run" };

/**
 * The redirect URI of test runs. It has no data of its own: what it received is useless without the ticket of the run.
 * CO-38.
 */
export default function TryCallback() {
  return (
    <MessagePage title="Back from the sign-in">
      <ReportCallback />
      The test run continues in the tab where you started it. You can close this one.
    </MessagePage>
  );
}
