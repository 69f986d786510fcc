export default function LoadingSubscriptions() {
  return (
    <div className="heading" aria-busy="true">
      <h1>Subscriptions</h1>
      <p role="status">Loading…</p>
    </div>
  );
}
