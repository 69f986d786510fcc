// The HTML of the example. Every value goes through `text`.

export type User = { name: string; email: string | undefined };
export type Page = { status?: number; title: string; body: string; user?: User | undefined };

/** `value` as HTML text. */
const text = (value: unknown): string =>
  String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const signInLink = '<p><a class="button" href="/login">Sign in with Gatehouse</a></p>';

export const welcomePage: Page = { title: "Welcome", body: `<p>You are not signed in.</p>${signInLink}` };

export function homePage(user: User, scope: string): Page {
  const email = user.email === undefined ? "" : `<p class="quiet">${text(user.email)}</p>`;
  return {
    title: `Hello, ${user.name}`,
    user,
    body: `<p>You are signed in as <strong>${text(user.name)}</strong>.</p>${email}
      <p>This app may use: <code>${text(scope)}</code></p>
      <p><a class="button" href="/call">Call the API</a></p>`,
  };
}

export function callPage(user: User, status: number, answer: string): Page {
  return {
    title: "The API answers",
    user,
    body: `<p>GET /api/resource: <strong>${status}</strong></p><pre tabindex="0">${text(answer)}</pre>
      <p><a class="button" href="/call">Call again</a></p>`,
  };
}

/** The API or Gatehouse has refused the tokens, so there is nothing left to be signed in with. */
export const endedPage = (status: number): Page => ({
  status: 401,
  title: "Sign in again",
  body: `<p>GET /api/resource: <strong>${status}</strong></p><p>Access was revoked, or your session has ended.</p>${signInLink}`,
});

export const signedOutPage: Page = {
  title: "Signed out",
  body: `<p>You are signed out of this app, but not of Gatehouse.</p>${signInLink}`,
};

export const notFoundPage: Page = {
  status: 404,
  title: "Page not found",
  body: '<p>There is no such page.</p><p><a class="button" href="/">Go to the start</a></p>',
};

/** What happened, and what to do next. `code` is for whoever looks into it. */
export const errorPage = (status: number, what: string, code: string): Page => ({
  status,
  title: "Sign-in did not complete",
  body: `<p role="alert">${text(what)}</p><p class="quiet">Error: <code>${text(code)}</code></p>${signInLink}`,
});

/** The whole document, with the user's name and sign-out in its header. */
export function render({ title, user, body }: Page): string {
  const account = user
    ? `<form method="post" action="/logout"><span>${text(user.name)}</span> <button>Sign out</button></form>`
    : "";
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${text(title)} · Example web app</title>
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <header><a href="/">Example web app</a>${account}</header>
    <main><h1>${text(title)}</h1>${body}</main>
  </body>
</html>`;
}
