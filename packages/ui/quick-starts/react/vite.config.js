import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // The origin of the redirect URI: __REDIRECT_URI__
  server: { host: "__HOST__", port: Number("__PORT__"), strictPort: true },
});
