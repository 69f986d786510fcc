import { branding } from "@gatehouse/product/branding";
import type { Metadata } from "next";
import { pageApi } from "../../server/pages/react/page-api.ts";
import { pageSession } from "../../server/pages/react/page-session.ts";
import { Subscriptions } from "./subscriptions.tsx";

export const metadata: Metadata = { title: `Subscriptions · ${branding.name}` };

export default async function SubscriptionsPage() {
  const { user } = await pageSession("/subscriptions");
  const api = await pageApi();
  const ofTeam = user.role !== "user";
  return (
    <>
      <div className="heading">
        <h1>Subscriptions</h1>
        <p>{ofTeam ? "All of them: your team can see every customer’s." : "Only you and our team can see them."}</p>
      </div>
      <Subscriptions first={await api.subscriptions.list()} ofTeam={ofTeam} />
    </>
  );
}
