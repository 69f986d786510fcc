// Entry `/testing`: for tests of a product, on Node. Everything happens over HTTP, on http loopback alone.

export { createUser, type TestUser } from "./create-user.ts";
export { type SignedIn, type SignInOptions, type StorageState, signIn, type TestApp } from "./sign-in.ts";
export { type StartOptions, startGatehouse, type TestGatehouse } from "./start.ts";
