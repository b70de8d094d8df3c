/** Colours in sRGB as `#rrggbb`, and their contrast (WCAG 2.2 §1.4.3). */

/** The contrast that WCAG 2.2 requires of text at level AA. */
export const minTextContrast = 4.5

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
