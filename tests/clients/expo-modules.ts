/** What the published Expo client imports of React Native and Expo, on iOS. Its aliases are in `vitest.config.ts`. */

/** What the client uses of `expo-web-browser`; a test sets what its user does. */
export const systemBrowser: { open: (url: string, target: string) => Promise<{ type: string; url?: string }> } = {
  open: async () => ({ type: 'cancel' }),
}
export const openAuthSessionAsync = (url: string, target: string) => systemBrowser.open(url, target)

/** Of `expo-linking`. */
export const createURL = (path: string, { scheme }: { readonly scheme: string }): string =>
  `${scheme}://${path.replace(/^\//, '')}`

/** Of `react-native`. */
export const Platform = { OS: 'ios' }

// biome-ignore lint/style/noDefaultExport: the client imports the default export of `expo-constants`
export default { expoConfig: { scheme: 'myapp' } }
