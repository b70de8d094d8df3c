import { expect, test } from 'vitest'
import { isPublicSuffix, registrableDomain } from './public-suffix.ts'

test.each(['com', 'test', 'co.uk', 'Com.Au', 'co.jp', 'github.io', 'vercel.app', 'up.railway.app'])(
  'strangers register names below %s',
  (domain) => expect(isPublicSuffix(domain)).toBe(true),
)

test.each(['acme.com', 'acme.co.uk', 'acme.github.io', 'co.de', 'com.de.acme.test', 'co.acme', 'github.io.acme.test'])(
  '%s has one owner',
  (domain) => expect(isPublicSuffix(domain)).toBe(false),
)

test.each([
  ['login.acme.com', 'acme.com'],
  ['a.b.Acme.co.uk', 'acme.co.uk'],
  ['acme.github.io', 'acme.github.io'],
  ['localhost', null],
  ['192.0.2.7', null],
  ['[2001:db8::1]', null],
])('%s belongs to the registered domain %s', (host, domain) => expect(registrableDomain(host)).toBe(domain))
