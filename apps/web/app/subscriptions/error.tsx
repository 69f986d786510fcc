"use client";

export default function SubscriptionsError({ reset }: { reset: () => void }) {
  return (
    <section className="card">
      <h1>Subscriptions</h1>
      <p className="note danger" role="alert">
        We can’t show your subscriptions right now. Try again in a moment.
      </p>
      <button type="button" className="button" onClick={reset}>
        Try again
      </button>
    </section>
  );
}
