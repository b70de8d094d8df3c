import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { themes } from '../core/brand.ts'
import {
  accentRoles,
  contrastOf,
  isColor,
  lowestContrast,
  minTextContrast,
  mix,
  nearestShade,
  textOn,
  withLightness,
} from './color.ts'

describe('contrast', () => {
  // The examples of WCAG and of the token table in the design, rounded as there.
  test.each([
    ['#000000', '#ffffff', 21],
    ['#FFFFFF', '#ffffff', 1],
    ['#777777', '#FFFFFF', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
    ['#0B6B61', '#FFFFFF', 6.38],
    ['#2DD4BF', '#06221E', 9],
  ])('of %s with %s', (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 1)
    expect(contrastOf(other, one)).toBe(contrastOf(one, other))
  })

  test('is the lowest of several', () => {
    expect(lowestContrast('#767676', ['#ffffff', '#000000'])).toBeCloseTo(4.54, 2)
  })
})

describe('nearest shade', () => {
  const [light, dark] = [
    ['#FBFAF8', '#FFFFFF'],
    ['#0F1110', '#161918'],
  ]

  test('is the colour itself when it passes', () => {
    expect(nearestShade('#0B6B61', light)).toBe('#0B6B61')
  })

  test.each(['#ff6600', '#2dd4bf', '#ffff00', '#808080', '#ffffff', '#000000', '#7c3aed'])(
    'of %s passes on either ground',
    (color) => {
      for (const grounds of [light, dark])
        expect(lowestContrast(nearestShade(color, grounds), grounds)).toBeGreaterThanOrEqual(minTextContrast)
    },
  )

  test('keeps the hue, and is darker on light grounds', () => {
    const shade = nearestShade('#ff6600', light)
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(shade.slice(at, at + 2), 16))
    expect(blue).toBe(0)
    expect(green / red).toBeCloseTo(0.4, 1)
    expect(contrastOf(shade, '#FBFAF8')).toBeLessThan(4.7)
  })

  test('changes the lightness in both directions', () => {
    expect(withLightness('#336699', 0.1)).toBe('#4080bf')
    expect(withLightness('#336699', -1)).toBe('#000000')
  })
})

test.each([
  ['#0B6B61', true],
  ['#0b6b61', true],
  ['0b6b61', false],
  ['#0b6', false],
  ['#0b6b6g', false],
])('%s as a colour: %s', (text, expected) => {
  expect(isColor(text)).toBe(expected)
})

test('two colours are mixed', () => {
  expect(mix('#ffffff', '#000000', 0.5)).toBe('#808080')
  expect(mix('#ff0000', '#0000ff', 1)).toBe('#ff0000')
})

describe('the roles of an accent', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  const seed = 20_261_127

  test.each(Object.entries(themes))('are readable and visible for any color, on %s pages', (_name, { grounds, text, muted }) => {
    fc.assert(
      fc.property(color, (accent) => {
        const { fill, onFill, hover, edge, readable, soft } = accentRoles(accent, grounds, text)
        expect(fill).toBe(accent)
        expect(hover).not.toBe(fill)
        for (const ground of [fill, hover]) expect(contrastOf(onFill, ground)).toBeGreaterThanOrEqual(4.5)
        expect(lowestContrast(readable, [...grounds, soft])).toBeGreaterThanOrEqual(4.5)
        for (const each of [text, muted]) expect(contrastOf(each, soft)).toBeGreaterThanOrEqual(4.5)
        expect(lowestContrast(edge, grounds)).toBeGreaterThanOrEqual(3)
      }),
      { seed, numRuns: 2000 },
    )
  })

  test.each([
    ['#000000', 'dark'],
    ['#111111', 'dark'],
    ['#ffffff', 'light'],
    ['#808080', 'light'],
  ] as const)('use the color of text for %s on %s pages, and not a gray', (accent, theme) => {
    const { grounds, text } = themes[theme]
    expect(accentRoles(accent, grounds, text)).toMatchObject({ fill: accent, readable: text })
  })

  test('are the color itself where it is readable', () => {
    const { grounds, text } = themes.light
    expect(accentRoles('#0b6b61', grounds, text)).toMatchObject({ fill: '#0b6b61', edge: '#0b6b61', readable: '#0b6b61' })
    expect([textOn('#ffe500'), textOn('#0b1f4b')]).toEqual(['#000000', '#FFFFFF'])
  })
})
