/** Branding of the hosted pages: its options, and the shades of the accent colour (WCAG 2.2 §1.4.3). */
import { z } from 'zod'
import type { ConfigIssue } from '../../core/config.ts'
import { group } from '../../core/config.ts'
import { isColor, lowestContrast, minTextContrast, nearestShade, withLightness } from '../../lib/color.ts'
import type { Config } from '../index.ts'

/** The page and the surfaces on which the accent is the colour of links. */
const grounds = { light: ['#FBFAF8', '#FFFFFF'], dark: ['#0F1110', '#161918'] } as const
type Theme = keyof typeof grounds

/** Text on the accent; the one with the higher contrast. */
const textColors = ['#FFFFFF', '#0F1110'] as const
/** The change of lightness of a button under the pointer: away from its text, so that the contrast grows. */
const hoverLightness = 0.05

/** URL parsers accept host names with `;`, `,` and `*`, which would change the content security policy. */
function isLogo(text: string): boolean {
  if (/^data:image\/[\w.+-]+[;,]/.test(text)) return true
  const url = URL.parse(text)
  return url?.protocol === 'https:' && /^([\w.-]+|\[[\da-f:.]+\])$/.test(url.hostname)
}
const color = z.string().refine(isColor, 'Expected a colour such as #0b6b61')
const logo = z.string().max(100_000).refine(isLogo, 'Expected an https: URL, or a data: URL of an image')
const pageURL = z.url({ protocol: /^https?$/ })

export const brandingConfig = group('Branding of the hosted pages; their name is `appName`', {
  logo: logo.optional().describe('Logo: an https: URL, or a data: URL of an image'),
  logoDark: logo.optional().describe('Logo on dark ground; default: `logo`'),
  accent: z
    .union([
      color,
      z.strictObject({ light: color.describe('Colour on light pages'), dark: color.describe('Colour on dark pages') }),
    ])
    .optional()
    .describe(
      'Colour of buttons and links, such as "#0b6b61", or `{ light, dark }`; one colour is for light pages, and its nearest readable shade for dark ones',
    ),
  privacyURL: pageURL.optional().describe('Privacy policy, linked on the hosted pages'),
  termsURL: pageURL.optional().describe('Terms of service, linked on the hosted pages'),
  helpURL: z
    .url({ protocol: /^(https?|mailto)$/ })
    .optional()
    .describe('Help page or mailto: URL, linked on the hosted pages'),
})

const shades = z.object({ color: z.string(), onColor: z.string(), hover: z.string() }).meta({
  examples: [{ color: '#0b6b61', onColor: '#FFFFFF', hover: '#095850' }],
})

const optionalURL = z
  .string()
  .nullable()
  .meta({ examples: ['https://example.com/page'] })

export const brandingView = z.object({
  logo: optionalURL,
  logoDark: optionalURL,
  accent: z.object({ light: shades, dark: shades }).nullable(),
  privacyURL: optionalURL,
  termsURL: optionalURL,
  helpURL: optionalURL,
})

/** The accent of each theme; null without one. */
function accentsOf({ dashboard }: Config): Record<Theme, string> | null {
  const { accent } = dashboard.branding
  if (accent === undefined) return null
  return typeof accent === 'string' ? { light: accent, dark: nearestShade(accent, grounds.dark) } : accent
}

function shadesOf(accent: string): z.output<typeof shades> {
  const [first, second] = textColors
  const onColor = lowestContrast(accent, [first]) >= lowestContrast(accent, [second]) ? first : second
  return { color: accent, onColor, hover: withLightness(accent, onColor === first ? -hoverLightness : hoverLightness) }
}

/** The branding as pages get it. */
export function readBranding(config: Config): z.output<typeof brandingView> {
  const { logo = null, logoDark = logo, privacyURL = null, termsURL = null, helpURL = null } = config.dashboard.branding
  const accents = accentsOf(config)
  const accent = accents && { light: shadesOf(accents.light), dark: shadesOf(accents.dark) }
  return { logo, logoDark, accent, privacyURL, termsURL, helpURL }
}

/** An accent that is unreadable as a link, or under the text of a button. */
export function accentIssues(config: Config): ConfigIssue[] {
  const accents = accentsOf(config)
  if (!accents) return []
  const path = 'dashboard.branding.accent'
  return (['light', 'dark'] as const).flatMap((theme) => {
    const accent = accents[theme]
    const { onColor } = shadesOf(accent)
    const contrast = lowestContrast(accent, [...grounds[theme], onColor])
    if (contrast >= minTextContrast) return []
    // Rounded down: 4.49 must not be shown as the 4.5 that it does not reach.
    const ratio = (Math.floor(contrast * 100) / 100).toFixed(2)
    const message = `${accent} has a contrast of ${ratio}:1 on ${theme} pages; text needs ${minTextContrast}:1 (WCAG 2.2).`
    const hint = `The nearest readable shade is ${nearestShade(accent, grounds[theme])}.`
    return [
      {
        id: 'dashboard-accent',
        path: typeof config.dashboard.branding.accent === 'string' ? path : `${path}.${theme}`,
        message,
        hint,
      },
    ]
  })
}

/** The origins of the logos, from which pages load images. */
export const logoOrigins = ({ dashboard: { branding } }: Config): string[] =>
  [...new Set([branding.logo, branding.logoDark])].flatMap((logo) => (logo?.startsWith('https:') ? [new URL(logo).origin] : []))
