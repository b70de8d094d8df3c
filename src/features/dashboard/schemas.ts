/** Limits that the preview of a brand in a browser shares with the configuration. */

const images = ['svg', 'png', 'webp', 'jpg']
/** What each option accepts, and how many KiB of it. */
export const brandFileLimits = {
  favicon: { extensions: ['svg', 'png', 'ico'], kib: 100 },
  logo: { extensions: images, kib: 200 },
  logoDark: { extensions: images, kib: 200 },
  cover: { extensions: images, kib: 1000 },
  font: { extensions: ['woff2'], kib: 500 },
} as const satisfies Record<string, { readonly extensions: readonly string[]; readonly kib: number }>
export type BrandFileOption = keyof typeof brandFileLimits
