import { describe, expect, test } from 'vitest'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { changesOf, configLines, draftOf, hasFiles, proposalOf } from './draft.ts'

const none = { accent: null, logo: null, logoDark: null, cover: null, radius: null, font: null }
const settings = (branding: object = {}) => ({ appName: 'Acme', branding: { ...none, ...branding } }) as unknown as PublicSettings
const file = { name: "acme's logo.svg", url: 'blob:http://localhost/1', ratio: 2 }
const accent = { light: { fill: '#ffe500' }, dark: { fill: '#ffe500' } }

describe('the changes of a draft', () => {
  test.each([{}, { accent, radius: 3, cover: { pattern: 'dots', image: null } }, { cover: { pattern: null, image: '/x.png' } }])(
    'are none at first: %j',
    (branding) => {
      const given = settings(branding)
      expect(changesOf(draftOf(given), given)).toEqual({})
      expect(configLines({})).toBe('')
    },
  )

  test('have what differs, without a color that is not complete', () => {
    const given = settings()
    const draft = { ...draftOf(given), appName: ' Halden ', accent: '#FFE500', radius: 12, cover: 'rings', logo: file } as const
    expect(changesOf(draft, given)).toEqual({ appName: 'Halden', accent: '#FFE500', radius: 12, cover: 'rings', logo: file })
    expect(changesOf({ ...draft, accent: '#FFE' }, given)).not.toHaveProperty('accent')
    expect(changesOf({ ...draft, accentDark: '#000000' }, given).accent).toEqual({ light: '#FFE500', dark: '#000000' })
  })

  test('remove what is configured', () => {
    const given = settings({ accent, logo: { url: '/logo.svg', ratio: 1 }, cover: { pattern: 'dots', image: null } })
    const draft = { ...draftOf(given), accent: '', cover: 'none', logo: 'none', font: 'none' } as const
    const changes = changesOf(draft, given)
    expect(changes).toEqual({ accent: null, cover: null, logo: null })
    expect(configLines(changes)).toContain('// Remove accent')
  })

  test('are sent without names of files', () => {
    expect(proposalOf({ logo: file, font: file, cover: file })).toEqual({
      logo: { url: file.url, ratio: 2 },
      font: file.url,
      cover: file.url,
    })
    expect([hasFiles({ cover: file }), hasFiles({ cover: 'dots', logo: null })]).toEqual([true, false])
  })
})

test('the lines are members of a configuration', () => {
  const lines = configLines({
    appName: "It's \\ me",
    accent: { light: '#000000', dark: '#FFFFFF' },
    radius: 9,
    cover: 'dots',
    logo: file,
  })
  expect(new Function(`return {${lines}}`)()).toEqual({
    appName: "It's \\ me",
    dashboard: {
      branding: { accent: { light: '#000000', dark: '#FFFFFF' }, radius: 9, cover: 'dots', logo: "brand/acme's logo.svg" },
    },
  })
  expect(configLines({ radius: 0 })).toContain("radius: 'square'")
})
