"use client";

export default function GlobalError() {
  return (
    <html lang="en">
      <body
        style={{ fontFamily: "system-ui, sans-serif", padding: "4rem 1.5rem", maxWidth: "34rem", margin: "0 auto" }}
      >
        <title>Gatehouse Console</title>
        <h1>Something went wrong</h1>
        <p>
          Reload the page. If that doesn&rsquo;t help, check the console&rsquo;s log. The most common cause is a missing
          or invalid setting.
        </p>
        <a href="/">Reload</a>
      </body>
    </html>
  );
}
