/** The product's pages in the header of each, in this order. */
export const navigation: readonly { href: string; label: string }[] = [
  { href: "/notes", label: "Notes" },
  { href: "/subscriptions", label: "Subscriptions" },
];
