import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const { ISSUER = "http://localhost:3000", CLIENT_ID = "example-trpc-frontend", PORT = "4600" } = process.env;

export default defineConfig({
  plugins: [react()],
  define: { "import.meta.env.ISSUER": JSON.stringify(ISSUER), "import.meta.env.CLIENT_ID": JSON.stringify(CLIENT_ID) },
  // The redirect URI names host and port, so no other will do.
  server: { host: "localhost", port: Number(PORT), strictPort: true },
});
