import { expect, test } from 'vitest'
import { isPublicSuffix } from './public-suffix.ts'

test.each(['com', 'test', 'co.uk', 'Com.Au', 'co.jp', 'github.io', 'vercel.app', 'up.railway.app'])(
  'strangers register names below %s',
  (domain) => expect(isPublicSuffix(domain)).toBe(true),
)

test.each(['acme.com', 'acme.co.uk', 'acme.github.io', 'co.de', 'com.de.acme.test', 'co.acme', 'github.io.acme.test'])(
  '%s has one owner',
  (domain) => expect(isPublicSuffix(domain)).toBe(false),
)
