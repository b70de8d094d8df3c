import { expect, test } from 'vitest'
import { featureList } from '../../features/index.ts'
import { configParser } from '../../project/config/parse-config.ts'
import { checkSecurityTxt } from './check-security-txt.ts'

const base = {
  secret: 'a secret of the tests, 0123456789 abcdefghij',
  baseURL: 'https://a.example',
  database: { url: 'sqlite::memory:' },
}

function statusOf(now: string, expires: string | null): string[] {
  const securityTxt = expires === null ? undefined : { contact: ['mailto:security@example.com'], expires }
  const parsed = configParser(featureList)({ ...base, ...(securityTxt && { securityTxt }) })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return checkSecurityTxt(parsed.config, new Date(now)).map(({ status, message }) => `${status}: ${message}`)
}

test.each([
  ['2026-11-28T00:00:00Z', '2027-06-01T00:00:00Z', 'ok: Expires in 185 days'],
  ['2027-05-20T00:00:00Z', '2027-06-01T00:00:00Z', 'warning: security.txt expires in 12 days'],
  ['2027-06-02T00:00:00Z', '2027-06-01T00:00:00Z', 'warning: security.txt has expired on 2027-06-01T00:00:00Z'],
])('on %s, security.txt that expires on %s gives "%s"', (now, expires, finding) => {
  expect(statusOf(now, expires)).toEqual([finding])
})

test('without security.txt there is nothing to check', () => {
  expect(statusOf('2026-11-28T00:00:00Z', null)).toEqual([])
})
