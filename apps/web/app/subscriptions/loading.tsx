export default function LoadingSubscriptions() {
  return (
    <section className="card" aria-busy="true">
      <div className="heading">
        <h1>Subscriptions</h1>
        <p className="small" role="status">
          Loading…
        </p>
      </div>
    </section>
  );
}
