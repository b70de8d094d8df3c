import { describe, expect, test } from 'vitest'
import { featureList } from '../../features/index.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { checkRoleNames } from './check-administrators.ts'
import { grantedOn, isAtLeast } from './check-database.ts'

test('names the roles of users that do not exist', () => {
  const parsed = parseConfig(featureList, {
    ...{ secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c', database: { url: 'sqlite::memory:' }, baseURL: 'https://auth.acme.test' },
    ...{ admin: true, seed: { roles: { support: {} } } },
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  expect(checkRoleNames([null, 'user', 'admin,support', 'stored'], ['stored'], parsed.config).status).toBe('ok')
  expect(checkRoleNames(['user, support', 'auditor,user'], [], parsed.config)).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('" support", "auditor"'),
  })
})

test.each([
  ['8.0.19', '8.0.19', true],
  ['8.0.18', '8.0.19', false],
  ['8.0.36-0ubuntu0.22.04.1', '8.0.19', true],
  ['9.7.4', '8.0.19', true],
  ['10.11.19-MariaDB-0+deb12u1', '10.6.0', true],
  ['10.5.9-MariaDB', '10.6.0', false],
  ['5.7.44', '8.0.19', false],
  ['', '6.0.0', false],
])('version %j is at least %s: %s', (version, least, expected) => {
  expect(isAtLeast(version, least)).toBe(expected)
})

describe('what is granted on a database', () => {
  const on = (...lines: string[]) => grantedOn(lines, 'acme')
  test('is read from the lines about it and about everything', () => {
    expect(on('GRANT USAGE ON *.* TO `a`@`%`', 'GRANT SELECT, INSERT, UPDATE, DELETE ON `acme`.* TO `a`@`%`')).toEqual(
      new Set(['USAGE', 'SELECT', 'INSERT', 'UPDATE', 'DELETE']),
    )
  })
  test('is not read from those about another', () => {
    expect(on('GRANT ALL PRIVILEGES ON `other`.* TO `a`@`%`', 'GRANT SELECT ON `acme`.* TO `a`@`%`')).toEqual(new Set(['SELECT']))
  })
  test('includes changes of tables when it is everything', () => {
    expect(on("GRANT ALL PRIVILEGES ON *.* TO 'root'@'localhost' WITH GRANT OPTION")?.has('ALTER')).toBe(true)
  })
  test('may be written with wildcards', () => {
    expect(on('GRANT DROP ON `ac%`.* TO `a`@`%`')?.has('DROP')).toBe(true)
    expect(on('GRANT DROP ON `a\\_me`.* TO `a`@`%`')?.has('DROP')).toBe(false)
  })
  test('is unknown when only roles are granted', () => {
    expect(on('GRANT `app_role`@`%` TO `a`@`%`')).toBeNull()
  })
})
