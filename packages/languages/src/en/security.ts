export const security = {
  title: "Security",
  text: "How you sign in, and what protects your account.",
  notices: {
    password_changed: "Password changed. You're signed out everywhere else.",
  },
};
