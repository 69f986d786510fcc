"use client";

export default function SubscriptionsError({ reset }: { reset: () => void }) {
  return (
    <>
      <div className="heading">
        <h1>Subscriptions</h1>
      </div>
      <section className="card">
        <p className="note danger" role="alert">
          We can’t show your subscriptions right now. Try again in a moment.
        </p>
        <button type="button" className="button" onClick={reset}>
          Try again
        </button>
      </section>
    </>
  );
}
