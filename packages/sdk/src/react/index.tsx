"use client";

// Entry `/react`: who is signed in, in the browser. It shows and hides; the server protects.

export { SignInButton, type SignInButtonProps, SignOutButton, type SignOutButtonProps } from "./buttons.tsx";
export { Show, type ShowProps } from "./show.tsx";
export { refreshUser } from "./store.ts";
export { type UserState, useUser } from "./use-user.ts";
export { UserButton, type UserButtonProps } from "./user-button.tsx";
