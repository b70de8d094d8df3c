import { expect, test } from 'vitest'
import { featureList } from '../features/index.ts'
import { configParser, configShape } from './config/parse-config.ts'
import { locateOptions } from './option-place.ts'

const source = `export default {
  baseURL: 'https://accounts.example.com',
  secret: process.env.SECRET,
  rateLimit: {
    max: 7,
  },
}
`
const written = {
  baseURL: 'https://accounts.example.com',
  secret: 'a secret of the tests, 0123456789 abcdefghij',
  rateLimit: { max: 7 },
}
const file = '/project/auth.config.ts'
const sources = new Map([
  [file, source],
  ['/project/.env', '# A comment\nexport DATABASE_URL=mysql://localhost/a\nPORT=1\n'],
])

function locate(...paths: string[]) {
  const parsed = configParser(featureList)({ ...written, database: { url: 'mysql://u:hidden@localhost/a' } })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const origins = new Map([['database.url', 'environment DATABASE_URL']])
  const loaded = { config: parsed.config, file, directory: '/project', written, origins }
  return locateOptions(configShape(featureList), loaded, sources, paths)
}

test('finds the file and line of an option, and of a section', () => {
  expect(locate('rateLimit.max', 'rateLimit')).toEqual([
    { path: 'rateLimit.max', value: 7, origin: 'file', file: 'auth.config.ts', line: 5 },
    { path: 'rateLimit', value: null, origin: 'file', file: 'auth.config.ts', line: 4 },
  ])
})

test('finds a variable in .env, and shows neither its password nor a secret', () => {
  const [url, secret] = locate('database.url', 'secret')
  expect(url).toMatchObject({ origin: 'environment DATABASE_URL', file: '.env', line: 2 })
  expect(secret).toMatchObject({ value: '[redacted]', file: 'auth.config.ts', line: 3 })
  expect(JSON.stringify([url, secret])).not.toMatch(/hidden|of the tests/)
})

test('an option that is not set has its default, and no place', () => {
  expect(locate('rateLimit.window')).toEqual([{ path: 'rateLimit.window', value: 10, origin: 'default', file: null, line: null }])
})
