import { expect, test } from 'vitest'
import { channelOf, releaseFaults, releaseNotes, type Texts, withVersion } from './release.ts'

const texts = (version: string, changelog: string): Texts => ({
  manifest: JSON.stringify({ name: 'latchkey', version }, null, 2),
  lock: JSON.stringify({ version, packages: { '': { version }, 'node_modules/a': { version: '1.0.0' } } }),
  chart: `apiVersion: v2\nversion: ${version}\nappVersion: ${version}\n`,
  changelog: `# Changelog\n\n## Version policy\n\nSome.\n\n${changelog}`,
})
const sections = '## 0.2.0 (2026-12-01)\n\nNew.\n\n## 0.1.0 (2026-11-01)\n\nFirst.\n'

test('accepts a release of which all parts agree, and prints its notes only', () => {
  expect(releaseFaults(texts('0.2.0', sections), 'v0.2.0')).toEqual([])
  expect(releaseNotes(texts('0.2.0', sections).changelog)).toBe('New.')
})

test.each([
  ['a tag of another version', texts('0.2.0', sections), 'v0.2.1', /^the tag is 0\.2\.1, not 0\.2\.0$/],
  ['a tag without v', texts('0.2.0', sections), '0.2.0', /does not start with v/],
  [
    'a chart of another version',
    { ...texts('0.2.0', sections), chart: 'version: 0.1.0\nappVersion: 0.2.0' },
    'v0.2.0',
    /^version in .*Chart/,
  ],
  ['no section', texts('0.2.0', ''), 'v0.2.0', /first section .* is missing/],
  ['an empty section', texts('0.2.0', '## 0.2.0 (2026-12-01)\n'), 'v0.2.0', /is empty/],
  ['no date', texts('0.2.0', '## 0.2.0 (not released)\n\nNew.\n'), 'v0.2.0', /has the date "not released"/],
  [
    'a skipped version',
    texts('0.3.1', '## 0.3.1 (2026-12-01)\n\nNew.\n\n## 0.2.0 (2026-11-01)\n\nOld.\n'),
    'v0.3.1',
    /does not follow 0\.2\.0/,
  ],
  ['a version that is not semantic', texts('0.2', '## 0.2 (2026-12-01)\n\nNew.\n'), 'v0.2', /not a semantic version/],
])('rejects %s', (_, given, tag, fault) => {
  expect(releaseFaults(given, tag)).toEqual([expect.stringMatching(fault)])
})

test('writes a version to all parts, and keeps versions before a release away from latest', () => {
  const before = texts('0.1.0', '## 0.2.0 (not released)\n\nNew.\n\n## 0.1.0 (2026-11-01)\n\nFirst.\n')
  const after = withVersion(before, '0.2.0-rc.1', '2026-12-01')
  expect(releaseFaults(after, 'v0.2.0-rc.1')).toEqual([])
  expect(JSON.parse(after.lock).packages['node_modules/a'].version).toBe('1.0.0')
  expect([channelOf('0.2.0-rc.1'), channelOf('0.2.0')]).toEqual(['next', 'latest'])
  expect(() => withVersion(before, '0.2', '2026-12-01')).toThrow('semantic')
})
