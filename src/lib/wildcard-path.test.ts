import { expect, test } from 'vitest'
import { wildcardPath } from './wildcard-path.ts'

test.each([
  ['/sign-in/email', '/sign-in/email', true],
  ['/sign-in/email', '/sign-in/emails', false],
  ['/sign-in/*', '/sign-in/email', true],
  ['/sign-in/*', '/sign-in/a/b', false],
  ['/sign-in/**', '/sign-in/a/b', true],
  ['/a.c', '/abc', false],
  ['/reset-password/*', '/reset-password/', true],
])('%s and %s: %s', (pattern, path, matches) => expect(wildcardPath(pattern)(path)).toBe(matches))
