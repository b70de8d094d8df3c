/** Every code has an entry, and names options that exist. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withFailureSections } from '../../../scripts/failure-sections.ts'
import { errors as coreErrors, type ErrorEntry } from '../../core/errors.ts'
import { configShape } from '../../project/config/parse-config.ts'
import { featureList } from '../index.ts'
import { catalogues, explainCode } from './entry.ts'

const features = Object.values(featureList)
const errorCodes = [coreErrors, ...features.map(({ errors = {} }) => errors)]
  .flatMap((catalogue) => Object.values<ErrorEntry>(catalogue))
  .map(({ code }) => code)
/** `<error>` stands for codes of providers. */
const redirectCodes = features
  .flatMap(({ routes = {} }) => Object.values(routes).flatMap(({ declaration }) => declaration.redirects ?? []))
  .filter((code) => !code.startsWith('<'))
const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')

test('each code of the API has an entry, and no other has one', () => {
  const known = Object.keys(catalogues.api)
  const existing = [...errorCodes, ...redirectCodes]
  expect([...new Set(existing)].filter((code) => !known.includes(code)).sort()).toEqual([])
  // Their entries are made where they are thrown: with a text of the configuration, or for the family of another error.
  const others = ['<error>', 'ACCOUNT_LOCKED', 'BANNED_USER', 'SIGN_IN_FROZEN', 'SIGN_UP_FROZEN']
  expect(known.filter((code) => !existing.includes(code)).sort()).toEqual(others)
})

test('each section of docs/errors.md has an entry, of which it is made', () => {
  const documented = [...page.matchAll(/^`([A-Z_]+)`\. /gm)].map(([, code = '']) => code)
  expect(documented.length).toBeGreaterThan(100)
  expect(documented.toSorted()).toEqual(Object.keys(catalogues.command).sort())
  expect(withFailureSections(page)).toBe(page)
})

test('each entry says what to do, and names options that exist', () => {
  const options = optionsOf(configShape(featureList))
  const entries = Object.values(catalogues).flatMap((catalogue) => Object.entries(catalogue))
  expect(entries.filter(([, [meaning, fix]]) => !/[.\]]$/.test(meaning) || !/[.]$|`$/.test(fix)).map(([code]) => code)).toEqual(
    [],
  )
  const unknown = entries.flatMap(([code, [, , ...settings]]) =>
    settings.filter((path) => !options.has(path)).map((path) => `${code}: ${path}`),
  )
  expect(unknown).toEqual([])
})

test('does not take the name of a member of all objects for a code', () => {
  expect([explainCode('toString', 'api'), explainCode('constructor', 'command')]).toEqual([null, null])
})

type Shape = ReturnType<typeof configShape>

/** Paths of options and sections. */
function optionsOf(shape: Shape, prefix = ''): Set<string> {
  return new Set(
    Object.entries(shape).flatMap(([name, option]) => {
      const path = `${prefix}${name}`
      return 'kind' in option ? [path, `${path}.enabled`, ...optionsOf(option.shape, `${path}.`)] : [path]
    }),
  )
}
