import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  server: { host: "localhost", port: Number(new URL("__REDIRECT_URI__").port || 4000), strictPort: true },
});
