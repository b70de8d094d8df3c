import { describe, expect, test } from 'vitest'
import { grantedOn, isAtLeast } from './check-database.ts'

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
