import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { contrastOf, minTextContrast } from '../../src/lib/color.ts'

const css = readFileSync(fileURLToPath(new URL('./tokens.css', import.meta.url)), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name = '', light = '', dark = '']) => [
    name,
    { light, dark },
  ]),
)
const hues = [...tokens.keys()].filter((name) => name.startsWith('hue-') && !name.endsWith('-soft'))

test.each(['light', 'dark'] as const)('the hues of avatars are readable on their ground in the %s theme', (theme) => {
  expect(hues).toHaveLength(6)
  for (const hue of hues)
    expect(contrastOf(tokens.get(hue)?.[theme] ?? '', tokens.get(`${hue}-soft`)?.[theme] ?? ''), hue).toBeGreaterThanOrEqual(
      minTextContrast,
    )
})
