import { defineConfig } from 'vite';

/** One script and one style, with fixed names: the server knows them, and nothing else is served. */
export default defineConfig({
  base: './',
  build: {
    outDir: '../cli/dist/page',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]', codeSplitting: false },
    },
  },
});
