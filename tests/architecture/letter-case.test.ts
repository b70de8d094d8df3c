/** In Turkish, the lower case of I is ı: no identifier is changed by the rules of a language. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = globSync('{src,dashboard/src}/**/*.{ts,tsx,css}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
const linesWith = (pattern: RegExp): string[] =>
  files.flatMap((file) =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .flatMap((line) => (pattern.test(line) ? [`${file}: ${line.trim()}`] : [])),
  )

test('no code changes the case of a text by a locale, except the name of a language in menus', () => {
  const found = linesWith(/toLocale(Lower|Upper)Case/)
  expect(found.filter((line) => !line.startsWith('dashboard/src/i18n/names.ts'))).toEqual([])
  expect(found.length).toBeGreaterThan(0)
})

test('no comparison depends on the locale of the process', () => {
  expect(linesWith(/localeCompare\([^,()]*\)/)).toEqual([])
})

test('no style changes the case of letters, which would show a code in other letters on a Turkish page', () => {
  expect(linesWith(/text-transform|["'` ]uppercase["'` ]|["'` ]capitalize["'` ]/)).toEqual([])
})

test('a Turkish process reads identifiers as any other', () => {
  const script = `
    const { normalizeSlug } = await import(${JSON.stringify(pathToFileURL(`${root}src/lib/text.ts`).href)})
    const { readLocale } = await import(${JSON.stringify(pathToFileURL(`${root}src/lib/locale.ts`).href)})
    console.log(JSON.stringify([normalizeSlug('TITLE'), 'TITLE@ACME.EXAMPLE'.toLowerCase(), readLocale('FI-fi', ['fi'])]))`
  const env = { ...process.env, LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual(['title', 'title@acme.example', 'fi'])
})
