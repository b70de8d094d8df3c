import { afterEach, expect, test, vi } from 'vitest'
import { chooseLocale } from './locale.tsx'
import { catalogue } from './messages.ts'
import { nameOfLocale } from './names.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['', null, ['de-AT', 'en'], ['en', 'de-informal'], 'de-informal'],
  ['?lang=de', 'en', ['en'], ['en', 'de-informal'], 'de-informal'],
  ['', 'de-informal', ['en'], ['en', 'de'], 'de'],
  ['?lang=fr', null, ['fr'], ['de', 'en'], 'de'],
  ['?lang=en-XA', 'de', ['de'], ['en', 'de'], 'en-XA'],
])('with the address %j, the last choice %j and a browser in %j, of %j it is %s', (search, last, languages, locales, locale) => {
  vi.stubGlobal('location', { search })
  vi.stubGlobal('navigator', { languages })
  expect(chooseLocale(locales, last)).toBe(locale)
})

test('a text with two forms of address is the one for the locale', async () => {
  const english = { signIn: 'Sign in', signedInAs: ({ email }: { readonly email: string }) => `You are signed in as ${email}` }
  const messages = catalogue<typeof english>({
    en: () => Promise.resolve({ messages: english }),
    de: () =>
      Promise.resolve({
        messages: {
          signIn: ['Melden Sie sich an', 'Melde dich an'],
          signedInAs: ({ email }) => [`Sie sind als ${email} angemeldet`, `Du bist als ${email} angemeldet`],
        },
      }),
  })
  await messages.load('de-informal')
  expect(messages.isLoaded('de')).toBe(true)
  const [formal, informal] = [messages.translate('de'), messages.translate('de-informal')]
  expect([formal('signIn'), informal('signIn')]).toEqual(['Melden Sie sich an', 'Melde dich an'])
  expect(informal('signedInAs', { email: 'a@example.com' })).toBe('Du bist als a@example.com angemeldet')
})

test('a menu names the form of address only where it has both', () => {
  const names = (locales: readonly string[]) => locales.map((locale) => nameOfLocale(locale, locales))
  expect(names(['en', 'de', 'de-informal'])).toEqual(['English', 'Deutsch', 'Deutsch (du)'])
  expect(names(['de-informal', 'en'])).toEqual(['Deutsch', 'English'])
})
