import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const kit = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))

/** A run that keeper.test.ts starts and kills: with the set-up of the real one, and a test that does not end by itself. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['waits.ts'],
    testTimeout: 60_000,
    globalSetup: [kit('global-setup.ts')],
    setupFiles: [kit('orphan.ts')],
  },
})
