/**
 * Builds the documentation site of every published version into one folder: the newest at its root, older ones below their number,
 * such as /v0.1/. Each is built from its tag, so that the pages of older versions list the newer ones too. Usage:
 *   SITE_URL=https://acme.github.io/latchkey node scripts/build-site.ts FOLDER
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** More would make each release slower. Documents of older versions stay in their packages and tags. */
const mostVersions = 6

export interface SiteVersion {
  readonly tag: string
  /** `v0.2` */
  readonly name: string
}

/** @param tags as `git tag` lists them @returns the newest patch of each minor version, the newest first; none before their release */
export function siteVersions(tags: readonly string[]): SiteVersion[] {
  const released = tags.flatMap((tag) => {
    const numbers = /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag)?.slice(1).map(Number)
    return numbers ? [{ tag, numbers, name: `v${numbers[0]}.${numbers[1]}` }] : []
  })
  const newestFirst = released.toSorted((one, other) => {
    const at = one.numbers.findIndex((number, index) => number !== other.numbers[index])
    return at === -1 ? 0 : (other.numbers[at] ?? 0) - (one.numbers[at] ?? 0)
  })
  const minors = newestFirst.filter(({ name }, index) => newestFirst.findIndex((other) => other.name === name) === index)
  return minors.slice(0, mostVersions).map(({ tag, name }) => ({ tag, name }))
}

/** @param url of the site, without a slash at its end @returns labels and addresses for the menu of versions */
export const versionLinks = (versions: readonly SiteVersion[], url: string): { label: string; link: string }[] =>
  versions.map(({ name }, index) =>
    index === 0 ? { label: `${name} (newest)`, link: `${url}/` } : { label: name, link: `${url}/${name}/` },
  )

function main([folder]: readonly string[]): void {
  const url = process.env.SITE_URL?.replace(/\/$/, '')
  if (!folder || !url) {
    console.error('Usage: SITE_URL=https://acme.github.io/latchkey node scripts/build-site.ts FOLDER')
    process.exit(2)
  }
  const output = resolve(folder)
  const versions = siteVersions(execFileSync('git', ['tag', '--list', 'v*'], { encoding: 'utf8' }).split('\n'))
  if (versions.length === 0) throw new Error('There is no tag of a released version, such as v0.2.0')
  rmSync(output, { recursive: true, force: true })
  const { pathname } = new URL(url)
  for (const [index, { tag, name }] of versions.entries()) {
    console.log(`Building ${name} from ${tag}`)
    const checkout = mkdtempSync(join(tmpdir(), 'latchkey-site-'))
    const run = (command: string, args: readonly string[], env = {}) =>
      execFileSync(command, args, { cwd: checkout, stdio: 'inherit', env: { ...process.env, ...env } })
    try {
      execFileSync('git', ['worktree', 'add', '--detach', '--force', checkout, tag], { stdio: 'inherit' })
      run('npm', ['ci', '--workspace', 'site', '--ignore-scripts', '--no-audit', '--no-fund'])
      const place = index === 0 ? '' : `${name}/`
      run('npx', ['vitepress', 'build', 'site', '--outDir', join(output, place)], {
        SITE_BASE: `${pathname.replace(/\/$/, '')}/${place}`,
        SITE_VERSIONS: JSON.stringify(versionLinks(versions, url)),
      })
    } finally {
      execFileSync('git', ['worktree', 'remove', '--force', checkout])
    }
  }
}

if (import.meta.main) main(process.argv.slice(2))
