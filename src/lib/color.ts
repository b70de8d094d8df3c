/** Colours in sRGB as `#rrggbb`, and their contrast (WCAG 2.2 §1.4.3). */

/** The contrast that WCAG 2.2 requires of text at level AA. */
export const minTextContrast = 4.5
/** The contrast that it requires of the edge of a control (§1.4.11). */
const minControlContrast = 3

type Triple = readonly [number, number, number]

/** Whether a text is a colour in the form `#rrggbb`, in any case. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** Red, green and blue from 0 to 1. */
const channelsOf = (color: string): Triple => {
  const at = (position: number) => Number.parseInt(color.slice(position, position + 2), 16) / 255
  return [at(1), at(3), at(5)]
}

/** Relative luminance from 0 (black) to 1 (white), as WCAG 2.2 defines it. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** The contrast ratio of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((first, second) => first - second)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The lowest contrast of a colour with any of the others. */
export const lowestContrast = (color: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => contrastOf(color, other)))

/** Hue in degrees, saturation and lightness from 0 to 1 (CSS Color 4 §7). */
function toHSL(color: string): Triple {
  const [red, green, blue] = channelsOf(color)
  const [min, max] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  const [lightness, range] = [(max + min) / 2, max - min]
  if (range === 0) return [0, 0, lightness]
  const saturation = range / (1 - Math.abs(2 * lightness - 1))
  const sixth = max === red ? (green - blue) / range + 6 : max === green ? (blue - red) / range + 2 : (red - green) / range + 4
  return [(sixth * 60) % 360, saturation, lightness]
}

function fromHSL([hue, saturation, lightness]: Triple): string {
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(place - 3, 9 - place, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}

/** A shade of the same hue and saturation. @param by added to the lightness, from -1 to 1 */
export function withLightness(color: string, by: number): string {
  const [hue, saturation, lightness] = toHSL(color)
  return fromHSL([hue, saturation, Math.min(1, Math.max(0, lightness + by))])
}

const steps = 400

/**
 * The shade of the same hue and saturation whose lightness is nearest, and that reaches a contrast with every one of the grounds.
 * @param grounds all light, or all dark: black or white must reach the contrast with each of them
 * @returns the colour itself when it reaches the contrast
 */
export function nearestShade(color: string, grounds: readonly string[], contrast: number = minTextContrast): string {
  const passes = (shade: string) => lowestContrast(shade, grounds) >= contrast
  for (let step = 0; step <= steps; step += 1) {
    const found = step === 0 ? [color] : [withLightness(color, -step / steps), withLightness(color, step / steps)]
    const passing = found.find(passes)
    if (passing !== undefined) return passing
  }
  throw new RangeError(`No shade of ${color} reaches a contrast of ${contrast}`)
}

/** What an accent color is used for, on pages and in emails of one theme. */
export interface AccentRoles {
  /** The ground of buttons: the accent itself. */
  readonly fill: string
  /** Text on `fill` and on `hover`: black or white. */
  readonly onFill: string
  /** `fill` under the pointer. */
  readonly hover: string
  /** The border of what is filled, visible on every ground; often `fill` itself. */
  readonly edge: string
  /** Links and the focus ring, readable on every ground and on `soft`; often `fill` itself. */
  readonly readable: string
  /** A ground with a touch of the accent, for what is selected. */
  readonly soft: string
}

/** One of the two has a contrast of at least 4.58 with any color. */
const [white, black] = ['#FFFFFF', '#000000'] as const
const hoverLightness = 0.06
const softShare = 0.1
/** Difference of the channels, from 0 to 1, up to which a color is a gray. */
const mostGray = 0.04

/** Black or white, whichever is easier to read on a color. */
export const textOn = (color: string): string => (contrastOf(color, white) >= contrastOf(color, black) ? white : black)

const isGray = (color: string): boolean => {
  const channels = channelsOf(color)
  return Math.max(...channels) - Math.min(...channels) <= mostGray
}

/** @param share of the first colour, from 0 to 1 */
export function mix(one: string, other: string, share: number): string {
  const [first, second] = [channelsOf(one), channelsOf(other)]
  const channel = (at: 0 | 1 | 2) => Math.round((first[at] * share + second[at] * (1 - share)) * 255)
  return `#${([0, 1, 2] as const).map((at) => channel(at).toString(16).padStart(2, '0')).join('')}`
}

/** Away from its text, so that the contrast grows. A color that cannot be darker or lighter changes in the other direction. */
function hoverOf(fill: string, onFill: string): string {
  const away = onFill === white ? -hoverLightness : hoverLightness
  const [, , lightness] = toHSL(fill)
  const hasRoom = lightness + away >= 0 && lightness + away <= 1
  return withLightness(fill, hasRoom ? away : -away)
}

/**
 * The roles of any color: what it cannot be itself, because it would be too faint, becomes the nearest shade that is not. A gray has no
 * hue to keep, so the color of text takes its place: a black brand is white on dark pages, and not gray.
 * @param grounds the page and its surfaces: all light, or all dark. The accent is mixed into the first one
 * @param text the color of text on them
 */
export function accentRoles(accent: string, grounds: readonly string[], text = textOn(grounds[0] ?? white)): AccentRoles {
  const onFill = textOn(accent)
  const soft = mix(accent, grounds[0] ?? white, softShare)
  const shade = (on: readonly string[], contrast: number) =>
    isGray(accent) && lowestContrast(accent, on) < contrast ? text : nearestShade(accent, on, contrast)
  return {
    fill: accent,
    onFill,
    hover: hoverOf(accent, onFill),
    edge: shade(grounds, minControlContrast),
    readable: shade([...grounds, soft], minTextContrast),
    soft,
  }
}
