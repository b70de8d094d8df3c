import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { providerMarks } from './provider-marks.ts'

/** What the daemon writes into the page, for `npm run dashboard`: a running `latchkey dev` serves the API. */
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

/** What the sign-in page loads after the first file, in any language: without a hint it is requested one round trip later. */
const signInModules = ['texts-en', 'texts-de']

const preloadSignIn: Plugin = {
  name: 'preload-sign-in',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle)
        .filter((file) => file.type === 'chunk' && signInModules.includes(file.name))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
          injectTo: 'head' as const,
        })),
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, because `dashboard.path` is known only when the daemon serves the files.
  base: './',
  plugins: [react(), tailwindcss(), likeTheDaemon, preloadSignIn, providerMarks()],
  // React has had this hook since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  server: { host: '127.0.0.1', port: 4001, proxy: { '/api': 'http://localhost:4000' } },
  build: {
    outDir: 'dist',
    // The content security policy allows no data URLs but images, and small files are cached as well as large ones.
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The sign-in page is part of the first file, although its declaration loads it as those of other pages do.
      checks: { ineffectiveDynamicImport: false },
      output: {
        // What every page loads compresses best as one file.
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'] },
            // The declarations of all other screens.
            { name: 'screens', test: /src\/features\/([\w-]+\/)?index\.ts$/ },
            { name: 'texts-en', test: /src\/(messages\/(errors-)?|features\/email-password\/)en\.ts$/ },
            { name: 'texts-de', test: /src\/(messages\/(errors-)?|features\/email-password\/)de\.ts$/ },
            // A group takes all that its modules import. What other pages need too is a file of its own; `account` is what pages of
            // signed-in users share.
            { name: 'schemas', test: /src\/schemas\.ts$/ },
            { name: 'icons', test: /lucide-react/ },
            { name: 'session', test: /src\/session\.ts$/ },
            {
              name: 'account',
              test: /@base-ui|@tanstack|src\/(list-state|organizations)\.ts$|organizations\/role-parts|src\/components\/(dialog|layout|menu|table|toast)\.tsx$/,
            },
            // Pages between which users go back and forth: one file, whose name the sign-in page needs to know.
            { name: 'organization', test: /src\/features\/organizations\/(?!invitation-|own-)[\w-]+\.tsx$/ },
          ],
        },
      },
    },
    license: { fileName: 'licenses.txt' },
    chunkSizeWarningLimit: 450,
  },
})
