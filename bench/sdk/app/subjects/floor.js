import { NextResponse } from "next/server";

const BYTES = 2_000;
const cipher = { name: "AES-GCM", iv: new Uint8Array(12) };
const sealed = crypto.subtle
  .generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
  .then(async (key) => ({ key, value: await crypto.subtle.encrypt(cipher, key, new Uint8Array(BYTES)) }));

/** A proxy that lets everything through. */
export const guarded = () => NextResponse.next();
/** One decryption of as many bytes as a session has: no encrypted cookie can do without. */
export const whoIsIt = async () => {
  const { key, value } = await sealed;
  return (await crypto.subtle.decrypt(cipher, key, value)) && "ada@example.com";
};
