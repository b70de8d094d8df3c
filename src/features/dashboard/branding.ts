/** The brand of the pages: its options, and what pages get of them. */
import { z } from 'zod'
import { coverPatterns, isFilePath, themes } from '../../core/brand.ts'
import { group } from '../../core/config.ts'
import { accentRoles, isColor } from '../../lib/color.ts'
import type { Config } from '../index.ts'
import { readBrandFiles } from './brand-files.ts'
import type { BrandFileOption } from './schemas.ts'

/** URL parsers accept host names with `;`, `,` and `*`, which would change the content security policy. */
function isImageURL(text: string): boolean {
  if (/^data:image\/[\w.+-]+[;,]/.test(text)) return true
  const url = URL.parse(text)
  return url?.protocol === 'https:' && /^([\w.-]+|\[[\da-f:.]+\])$/.test(url.hostname)
}

const color = z.string().refine(isColor, 'Expected a color such as #0b6b61')
const themeColors = z.strictObject({ light: color.describe('Color on light pages'), dark: color.describe('Color on dark pages') })
export const accentOption = z.union([color, themeColors])
export const imageURL = z.string().max(100_000).refine(isImageURL, 'Expected an https: URL, or a data: URL of an image')
const path = z.string().min(1).max(1000).refine(isFilePath, 'Expected the path of a file')
const image = z
  .string()
  .min(1)
  .max(100_000)
  .refine(
    (text) => isFilePath(text) || isImageURL(text),
    'Expected the path of a file, an https: URL, or a data: URL of an image',
  )
const radii = { square: 0, default: 6, round: 12 } as const
export const radiusOption = z.union([z.enum(['square', 'default', 'round']), z.int().min(0).max(16)])
const pageURL = z.url({ protocol: /^https?$/ }).max(2000)
const helpURL = z.url({ protocol: /^(https?|mailto)$/ }).max(2000)
const linkLabel = z.string().trim().min(1).max(60)
const footerLink = z.strictObject({
  label: z
    .union([linkLabel, z.record(z.string().regex(/^[a-z]{2,3}(-\w+)*$/i), linkLabel)])
    .describe('A text, or one per language'),
  url: helpURL.describe('http:, https: or mailto: URL'),
})

export const brandingConfig = group('Brand of the hosted pages; their name is `appName`', {
  accent: accentOption
    .optional()
    .describe(
      'Color of buttons and links, such as "#0b6b61", or `{ light, dark }`. Any color works: text on it is black or white, and links get a shade that is readable',
    ),
  logo: image
    .optional()
    .describe('Logo: the path of an SVG, PNG, WebP or JPEG file of at most 200 KiB, an https: URL or a data: URL'),
  logoDark: image.optional().describe('Logo on dark ground; default: `logo`'),
  favicon: path.optional().describe('Icon of the browser tab: the path of an SVG, PNG or ICO file of at most 100 KiB'),
  cover: z
    .union([z.enum(coverPatterns), path])
    .optional()
    .describe(
      'Next to the form on wide screens: a pattern in the accent color (`dots`, `grid`, `rings` or `stripes`), or the path of an SVG, PNG, WebP or JPEG file of at most 1000 KiB',
    ),
  radius: radiusOption.optional().describe('Corners of controls: `square`, `default`, `round`, or pixels up to 16'),
  font: path.optional().describe('Font of all pages: the path of a WOFF 2 file of at most 500 KiB'),
  privacyURL: pageURL.optional().describe('Privacy policy, linked on the hosted pages'),
  termsURL: pageURL.optional().describe('Terms of service, linked on the hosted pages'),
  helpURL: helpURL.optional().describe('Help page or mailto: URL, linked on the hosted pages'),
  supportEmail: z.email().max(320).optional().describe('Email address of your support, on the hosted pages and the error pages'),
  footerLinks: z
    .array(footerLink)
    .max(6)
    .default([])
    .describe('Further links at the foot of the hosted pages, at most 6: `{ label, url }`'),
})

const roles = z
  .object({
    fill: z.string().describe('Ground of buttons'),
    onFill: z.string().describe('Text on it'),
    hover: z.string().describe('Ground of a button under the pointer'),
    edge: z.string().describe('Border of what is filled'),
    readable: z.string().describe('Links'),
    soft: z.string().describe('Ground of what is selected'),
  })
  .meta({
    examples: [{ fill: '#0b6b61', onFill: '#FFFFFF', hover: '#08524a', edge: '#0b6b61', readable: '#0b6b61', soft: '#e7f0ef' }],
  })

const optionalURL = z
  .string()
  .nullable()
  .meta({ examples: ['https://example.com/page'] })
const logoView = z
  .object({ url: z.string(), ratio: z.number().nullable().describe('Width divided by height; null: unknown') })
  .nullable()
  .meta({ examples: [{ url: '/assets/brand-logo-x1y2z3.svg', ratio: 1 }] })

export const brandingView = z.object({
  accent: z.object({ light: roles, dark: roles }).nullable(),
  logo: logoView,
  logoDark: logoView,
  favicon: optionalURL,
  cover: z.object({ pattern: z.enum(coverPatterns).nullable(), image: z.string().nullable() }).nullable(),
  radius: z.number().nullable().describe('Pixels'),
  font: optionalURL,
  privacyURL: optionalURL,
  termsURL: optionalURL,
  helpURL: optionalURL,
  supportEmail: z
    .string()
    .nullable()
    .meta({ examples: ['support@example.com'] }),
  footerLinks: z
    .array(z.object({ label: z.union([z.string(), z.record(z.string(), z.string())]), url: z.string() }))
    .meta({ examples: [[{ label: 'Imprint', url: 'https://example.com/imprint' }]] }),
})
export type Branding = z.output<typeof brandingView>

/** @param option one color for both themes, or one for each */
export function accentOf(option: z.output<typeof accentOption>): NonNullable<Branding['accent']> {
  const { light, dark } = typeof option === 'string' ? { light: option, dark: option } : option
  return {
    light: accentRoles(light, themes.light.grounds, themes.light.text),
    dark: accentRoles(dark, themes.dark.grounds, themes.dark.text),
  }
}

export const radiusOf = (option: z.output<typeof radiusOption>): number => (typeof option === 'number' ? option : radii[option])

/** By configuration: shades are searched for, and every email needs them. */
const known = new WeakMap<Config, Branding>()

/** The brand as pages get it. */
export function readBranding(config: Config): Branding {
  const branding = known.get(config) ?? deriveBranding(config)
  known.set(config, branding)
  return branding
}

function deriveBranding(config: Config): Branding {
  const { branding } = config.dashboard
  const { accent, cover, radius, footerLinks } = branding
  const imageOf = (option: BrandFileOption) => brandImage(config, option)
  const logo = imageOf('logo')
  return {
    accent: accent === undefined ? null : accentOf(accent),
    logo,
    logoDark: imageOf('logoDark') ?? logo,
    favicon: imageOf('favicon')?.url ?? null,
    cover: cover === undefined ? null : coverOf(cover, () => imageOf('cover')?.url ?? null),
    radius: radius === undefined ? null : radiusOf(radius),
    font: imageOf('font')?.url ?? null,
    privacyURL: branding.privacyURL ?? null,
    termsURL: branding.termsURL ?? null,
    helpURL: branding.helpURL ?? null,
    supportEmail: branding.supportEmail ?? null,
    footerLinks: footerLinks.map(({ label, url }) => ({ label: typeof label === 'string' ? label : { ...label }, url })),
  }
}

function coverOf(option: string, image: () => string | null): Branding['cover'] {
  const pattern = coverPatterns.find((name) => name === option)
  return pattern === undefined ? { pattern: null, image: image() } : { pattern, image: null }
}

/** The URL of an option: of its file, or the one that it is. */
function brandImage(config: Config, option: BrandFileOption): Branding['logo'] {
  const value = config.dashboard.branding[option]
  if (value === undefined) return null
  if (!isFilePath(value)) return { url: value, ratio: null }
  const file = readBrandFiles(config).files.get(option)
  if (!file) return null
  const { path: base } = config.dashboard
  return { url: file.name === null ? file.dataURL : `${base === '/' ? '' : base}/${file.name}`, ratio: file.ratio }
}

/** The origins of the logos, from which pages load images. */
export const logoOrigins = ({ dashboard: { branding } }: Config): string[] =>
  [...new Set([branding.logo, branding.logoDark])].flatMap((logo) => (logo?.startsWith('https:') ? [new URL(logo).origin] : []))
