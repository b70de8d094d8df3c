/** The brand of pages as a plain value, and the style sheet that it is. The tokens that it sets are in `dashboard/src/tokens.css`. */
import type { AccentRoles } from '../lib/color.ts'

/** Colors of pages and emails as the tokens are: the grounds of cards, of the page and of other surfaces, and what is on them. */
export const themes = {
  light: {
    grounds: ['#FFFFFF', '#FBFAF8', '#F7F5F1', '#F3F1ED', '#F0EDE8'],
    ...{ border: '#E4E0D9', text: '#1C1A17', muted: '#5F594F', accent: '#0B6B61' },
  },
  dark: {
    grounds: ['#161918', '#0F1110', '#0B0D0C', '#1B1F1D', '#1D2120', '#272D2B'],
    ...{ border: '#2B312F', text: '#ECEFED', muted: '#A3ADA9', accent: '#2DD4BF' },
  },
} as const

export const coverPatterns = ['dots', 'grid', 'rings', 'stripes'] as const
export type CoverPattern = (typeof coverPatterns)[number]

/** What a style sheet is made of. Members that are null are as in the tokens. */
export interface Brand {
  readonly accent: { readonly light: AccentRoles; readonly dark: AccentRoles } | null
  /** Of controls, in pixels; other corners follow from it. */
  readonly radius: number | null
  /** URL of a WOFF 2 file. */
  readonly font: string | null
  readonly cover: { readonly pattern: CoverPattern | null; readonly image: string | null } | null
}

/** With the script types of their own, pages in other scripts than that of the font are readable too. */
const systemFonts = 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'

/** Of no file that is not already a URL: what would end the text or the style is written as an escape. */
const cssURL = (url: string): string => `url("${url.replaceAll(/["\\<>\n\r]/g, encodeURIComponent)}")`

const accentRules = ({ fill, onFill, hover, edge, readable, soft }: AccentRoles): string =>
  `--accent:${readable};--accent-fill:${fill};--accent-hover:${hover};--accent-edge:${edge};--accent-soft:${soft};--on-accent:${onFill};--chart-accent:${edge}`

const radiusRules = (radius: number): string =>
  (
    [
      ['sm', 1 / 2],
      ['control', 1],
      ['card', 5 / 3],
      ['dialog', 2],
    ] as const
  )
    .map(([name, factor]) => `--radius-${name}:${Math.round(radius * factor)}px`)
    .join(';')

const ink = 'var(--cover-ink)'
/** Each draws with one ink on one ground, so that it suits any accent. */
const patterns: Readonly<Record<CoverPattern, string>> = {
  dots: `background-image:radial-gradient(${ink} 1.5px,transparent 2px);background-size:22px 22px`,
  grid: `background-image:linear-gradient(${ink} 1px,transparent 1px),linear-gradient(90deg,${ink} 1px,transparent 1px);background-size:40px 40px`,
  rings: `background-image:repeating-radial-gradient(circle at 100% 100%,transparent 0 46px,${ink} 47px 48px)`,
  stripes: `background-image:repeating-linear-gradient(135deg,transparent 0 14px,${ink} 15px 16px)`,
}

const coverRules = ({ pattern, image }: NonNullable<Brand['cover']>): string =>
  image === null ? (pattern === null ? '' : patterns[pattern]) : `background-image:${cssURL(image)}`

/**
 * The rules of a brand. Their selectors are stronger than those of the tokens, so that the order of style sheets does not matter.
 * @returns empty when everything is as in the tokens
 */
export function brandStyle({ accent, radius, font, cover }: Brand): string {
  const face =
    font === null
      ? ''
      : `@font-face{font-family:Brand;src:${cssURL(font)} format("woff2");font-weight:1 1000;font-display:optional}`
  const own = [
    ...(accent ? [accentRules(accent.light)] : []),
    ...(radius === null ? [] : [radiusRules(radius)]),
    // Of other fonts, the features of these names are something else.
    ...(font === null ? [] : [`--font-sans:Brand,${systemFonts};font-feature-settings:normal`]),
  ]
  const dark = accent ? `{${accentRules(accent.dark)}}` : ''
  return [
    face,
    own.length === 0 ? '' : `html:root{${own.join(';')}}`,
    dark === '' ? '' : `html:root[data-theme=dark]${dark}@media(prefers-color-scheme:dark){html:root:not([data-theme])${dark}}`,
    cover ? `.cover{${coverRules(cover)}}` : '',
  ].join('')
}

/** Whether the value of an option is the path of a file: not a URL, and not the name of a pattern. */
export const isFilePath = (value: string): boolean =>
  !/^[a-z][a-z\d+.-]+:/i.test(value) && !(coverPatterns as readonly string[]).includes(value)
