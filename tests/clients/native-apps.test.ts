/** The published Expo client signs in through the system browser, over a real socket. */
import { expoClient } from '@better-auth/expo/client'
import { expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { standIn } from '../kit/provider-stand-in.ts'
import { providerConfig, target, withProvider } from '../kit/social.ts'
import { systemBrowser } from './expo-modules.ts'
import { createClient } from './published.ts'
import { serve } from './served.ts'

/** The secure store of the app. */
function appStorage() {
  const stored = new Map<string, string>()
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
}

test('signs in, twice, and leaves the system browser without a session', async () => {
  const provider = await standIn()
  const kit = await withProvider(provider, await serve(providerConfig(provider.origin, { trustedOrigins: ['myapp://'] })))
  const browser = createBrowser((url, init) => fetch(url, init), `${kit.origin}/api/auth`)
  const opened: string[] = []
  systemBrowser.open = async (url, expected) => {
    opened.push(expected)
    const started = await browser.request(url.slice(`${kit.origin}/api/auth`.length))
    const state = new URL(target(started) ?? '').searchParams.get('state') ?? ''
    const callback = await browser.request(`/callback/google?${new URLSearchParams({ code: 'a-code', state })}`)
    return { type: 'success', url: target(callback) ?? '' }
  }
  const storage = appStorage()
  const client = createClient('1.2.12', kit.origin, {}, [expoClient({ storage, scheme: 'myapp' })])
  for (const time of ['first', 'second']) {
    expect((await client.signIn?.social?.({ provider: 'google', callbackURL: '/dashboard' }))?.error, time).toBeNull()
    expect((await client.getSession?.())?.data?.user.name, time).toBe('Ann')
  }
  expect(opened).toEqual(['myapp://dashboard', 'myapp://dashboard'])
  expect([...browser.cookies.keys()]).toEqual([])
  expect(storage.stored.get('better-auth_cookie')).toContain('latchkey.session_token')
})
