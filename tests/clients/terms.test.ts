/** An unchanged application with the published client: a sign-in that waits for terms opens their page by itself. */
import { expect, test, vi } from 'vitest'
import { createClient, createCookieFetch, versions } from './published.ts'
import { serve } from './served.ts'

test.each(versions)('better-auth %s opens the page of terms', async (version) => {
  const documents = [{ id: 'privacy', version: '1', url: 'https://example.com/privacy' }]
  const { origin } = await serve({ terms: { documents } })
  const client = createClient(version, origin, { customFetchImpl: createCookieFetch() })
  const page = { href: '' }
  vi.stubGlobal('window', { location: page })
  const done = await client.signUp?.email?.({ name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' })
  vi.unstubAllGlobals()
  expect([done?.error, new URL(page.href).pathname]).toEqual([null, '/terms'])
})
