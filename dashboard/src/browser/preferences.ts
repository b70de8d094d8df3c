/** What a visitor has chosen for all pages: cookies, because the server renders some of them. */
const maxAge = 34_560_000

type Name = 'theme' | 'locale' | 'zone' | 'density'

export const readPreference = (name: Name): string | null =>
  document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(`latchkey.${name}=`))
    ?.slice(`latchkey.${name}=`.length) ?? null

/** @param value null: no choice */
export function storePreference(name: Name, value: string | null): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are still in use
  document.cookie = `latchkey.${name}=${value ?? ''}; path=/; max-age=${value === null ? 0 : maxAge}; samesite=lax`
}

/** The time zone of the browser, in which emails show times. */
export const storeZone = (): void => storePreference('zone', Intl.DateTimeFormat().resolvedOptions().timeZone)

/** The media query under which a logo for dark ground is shown. @param theme null: that of the system */
export const darkMedia = (theme: 'light' | 'dark' | null): string =>
  theme === null ? '(prefers-color-scheme: dark)' : theme === 'dark' ? 'all' : 'not all'
