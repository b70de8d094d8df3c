/** The builds of pages that the server renders, the hosted ones and the API reference: their scripts and styles, and what renders them. */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { providerMarks } from './provider-marks.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const common = { root, configFile: false, logLevel: 'warn' } as const

/** A font that comes late would move the text of the page: it is used from the next page on. */
const fontsWithoutShift: Plugin = {
  name: 'fonts-without-shift',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css'))
        file.source = String(file.source).replaceAll('font-display:swap', 'font-display:optional')
  },
}

/**
 * @param outDir the folder of public files
 * @param name a folder of `src`, whose `client.ts` is built; of the script and the style too
 */
export const browserBuild = (outDir: string, name: string): InlineConfig => ({
  ...common,
  base: './',
  plugins: [tailwindcss(), fontsWithoutShift],
  build: {
    outDir,
    emptyOutDir: false,
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
    modulePreload: false,
    rolldownOptions: {
      input: { [name]: `${root}src/${name}/client.ts` },
      output: {
        entryFileNames: `assets/${name}-[hash].js`,
        // Fonts have the names that they have in the other build, so that there is one of each.
        assetFileNames: ({ names: [file = ''] }) => `assets/${file.endsWith('.css') ? name : '[name]'}-[hash][extname]`,
      },
    },
  },
})

/**
 * @param outDir where `render.js` is written
 * @param files paths of the built files that hosted pages name
 * @param reference names of those of the API reference
 */
export const serverBuild = (outDir: string, files: object, reference: object): InlineConfig => ({
  ...common,
  plugins: [react(), providerMarks()],
  define: {
    builtFiles: JSON.stringify(files),
    builtReference: JSON.stringify(reference),
    'process.env.NODE_ENV': '"production"',
  },
  ssr: { noExternal: true },
  build: {
    outDir,
    emptyOutDir: false,
    copyPublicDir: false,
    minify: true,
    target: 'node22',
    ssr: `${root}src/hosted/render.tsx`,
    rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
  },
})
