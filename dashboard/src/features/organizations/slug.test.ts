/** Slugs that are suggested for names. */
import { expect, test } from 'vitest'
import { suggestSlug } from './slug.ts'

test.each([
  ['Halden Ferry & Sons', 'halden-ferry-sons'],
  ['  Straßenbahn Łódź  ', 'strassenbahn-lodz'],
  ['Ærø Œuvre', 'aero-oeuvre'],
  ['Crème brûlée №1', 'creme-brulee-no1'],
  ['日本', ''],
  ['---', ''],
  ['x'.repeat(200), 'x'.repeat(48)],
  [`${'x'.repeat(47)} y`, 'x'.repeat(47)],
])('suggests a slug for %s', (name, slug) => expect(suggestSlug(name)).toBe(slug))
