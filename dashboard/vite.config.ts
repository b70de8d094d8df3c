import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What the daemon writes into the page, for `npm run dashboard`: the API is that of a running `latchkey dev`. */
const likeTheDaemon: Plugin = {
  name: 'like-the-daemon',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('__BASE__', '/')
      .replaceAll('__API__', '/api/auth')
      .replaceAll('__TITLE__', 'Latchkey')
      .replaceAll(/__\w+__/g, ''),
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, because `dashboard.path` is known only when the daemon serves the files.
  base: './',
  plugins: [react(), tailwindcss(), likeTheDaemon],
  server: { host: '127.0.0.1', port: 4001, proxy: { '/api': 'http://localhost:4000' } },
  build: {
    outDir: 'dist',
    // The content security policy allows no data URLs but images, and small files are cached as well as large ones.
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page loads, and what every form does, compress best as one file each.
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'] },
            {
              name: 'form',
              test: /react-hook-form|src\/(router-hooks|components\/(form|field|captcha))\.tsx?$|tanstack\/react-query/,
            },
          ],
        },
      },
    },
    license: { fileName: 'licenses.txt' },
    chunkSizeWarningLimit: 450,
  },
})
