import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  // What tools/ generate, beside a copy of public/: a build writes nothing into its sources.
  publicDir: '../target/public',
  build: {
    outDir: '../target/web/io/lastfix/console/page',
    emptyOutDir: true,
    // Every asset is a file of its own, because the policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 3000,
    rolldownOptions: {
      output: {
        // Servers know the type of .js, and not all that of MapLibre's .mjs.
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.mjs') ? 'assets/[name]-[hash].js' : 'assets/[name]-[hash][extname]',
      },
    },
  },
  test: { environment: 'happy-dom', include: ['test/**/*.test.ts'], unstubGlobals: true },
  server: { proxy: { '/v1': 'http://127.0.0.1:8490' } },
});
