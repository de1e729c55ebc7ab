import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const BACKEND = 'http://127.0.0.1:5000';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // Fonts and pictures stay files: a strict font-src allows our own origin only, no data addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/api': BACKEND, '/profile_pictures': BACKEND } },
});
