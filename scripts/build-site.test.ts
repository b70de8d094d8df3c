import { expect, test } from 'vitest'
import { siteVersions, versionLinks } from './build-site.ts'

test('the site has the newest patch of each minor version, the newest first, and none before its release', () => {
  const versions = siteVersions(['v0.1.0', 'v0.10.1', 'v0.2.0', 'v0.2.10', 'v0.2.9', 'v1.0.0-rc.1', 'vacation', ''])
  expect(versions.map(({ tag }) => tag)).toEqual(['v0.10.1', 'v0.2.10', 'v0.1.0'])
  expect(versionLinks(versions, 'https://acme.test/docs')).toEqual([
    { label: 'v0.10 (newest)', link: 'https://acme.test/docs/' },
    { label: 'v0.2', link: 'https://acme.test/docs/v0.2/' },
    { label: 'v0.1', link: 'https://acme.test/docs/v0.1/' },
  ])
})
