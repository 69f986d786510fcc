"use client";

export default function GlobalError() {
  return (
    <html lang="en">
      <body style={{ fontFamily: "system-ui, sans-serif", padding: "4rem 1.5rem", maxWidth: "34rem", margin: "0 auto" }}>
        <title>Gatehouse Console</title>
        <h1>The console met an error</h1>
        <p>Reload the page. If it stays, look at the console&rsquo;s log: the most likely cause is a missing or wrong setting.</p>
        <a href="/">Reload</a>
      </body>
    </html>
  );
}
