/**
 * The version of a release. Usage:
 *   node scripts/release.ts set VERSION    writes it to package.json, the lock file, the chart and the changelog
 *   node scripts/release.ts check [TAG]    fails unless all of them agree, and with the tag; prints `version=` and `channel=`
 *   node scripts/release.ts notes          prints the section of the changelog
 */
import { readFileSync, writeFileSync } from 'node:fs'

const files = {
  manifest: 'package.json',
  lock: 'package-lock.json',
  chart: 'deploy/helm/latchkey/Chart.yaml',
  changelog: 'CHANGELOG.md',
} as const
/** The texts of the files that name the version. */
export type Texts = Readonly<Record<keyof typeof files, string>>

/** https://semver.org, without build metadata: npm ignores it, and tags of images cannot contain it. */
const pattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:[a-z]+|0|[1-9]\d*)(?:\.(?:[a-z]+|0|[1-9]\d*))*))?$/
const isVersion = (text: string): boolean => pattern.test(text)

interface Section {
  readonly version: string
  /** Such as `2026-12-01`, or `not released`. */
  readonly date: string
  readonly text: string
}

/** The sections of the changelog, newest first: `## 0.2.0 (2026-12-01)`. */
const sectionsOf = (changelog: string): Section[] =>
  [...changelog.matchAll(/^## (\d\S*) \(([^)]*)\)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)].map(
    ([, version = '', date = '', text = '']) => ({ version, date, text: text.trim() }),
  )

const numbersOf = (version: string): readonly number[] => version.split('-')[0]?.split('.').map(Number) ?? []

/** Whether a version may be the next one: one part is one more, and the parts after it are 0. A version before a release may repeat it. */
function follows(version: string, previous: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbersOf(previous)
  const next = [`${major + 1}.0.0`, `${major}.${minor + 1}.0`, `${major}.${minor}.${patch + 1}`]
  const isOfSame = previous.includes('-') && numbersOf(version).join() === numbersOf(previous).join()
  return (isOfSame && version !== previous) || next.includes(numbersOf(version).join('.'))
}

/** @param tag `v0.2.0`; null before there is one @returns what is wrong, one sentence each */
export function releaseFaults({ manifest, lock, chart, changelog }: Texts, tag: string | null): string[] {
  const { version }: { version: string } = JSON.parse(manifest)
  const locked: { version: string; packages: Record<string, { version: string }> } = JSON.parse(lock)
  const named = {
    [`version in ${files.lock}`]: locked.version,
    [`packages."".version in ${files.lock}`]: locked.packages['']?.version,
    [`version in ${files.chart}`]: /^version: (\S+)$/m.exec(chart)?.[1],
    [`appVersion in ${files.chart}`]: /^appVersion: (\S+)$/m.exec(chart)?.[1],
    ...(tag !== null && { 'the tag': tag.replace(/^v/, '') }),
  }
  const [newest, previous] = sectionsOf(changelog)
  const date = newest?.date ?? ''
  const isDated = /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date))
  const sentences: readonly (readonly [boolean, string])[] = [
    [!isVersion(version), `${version} in ${files.manifest} is not a semantic version`],
    [tag !== null && !tag.startsWith('v'), `The tag ${tag} does not start with v`],
    ...Object.entries(named).map(([where, other]) => [other !== version, `${where} is ${other}, not ${version}`] as const),
    [newest?.version !== version, `The first section of ${files.changelog} is ${newest?.version ?? 'missing'}, not ${version}`],
    [
      !!newest && !isDated && !(tag === null && date === 'not released'),
      `The section of ${version} has the date "${date}", not one such as 2026-12-01`,
    ],
    [newest?.text === '', `The section of ${version} is empty`],
    [
      !!previous && !follows(version, previous.version),
      `${version} does not follow ${previous?.version}: one number is one more, and the ones after it are 0`,
    ],
  ]
  return sentences.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []))
}

/** The tag of npm and of the image: a version before a release must not be what users get without naming a version. */
export const channelOf = (version: string): string => (version.includes('-') ? 'next' : 'latest')

/** @param today `2026-12-01` @throws Error for a version that is not semantic, or a changelog without a section to release */
export function withVersion({ manifest, lock, chart, changelog }: Texts, version: string, today: string): Texts {
  if (!isVersion(version)) throw new Error(`${version} is not a semantic version, such as 0.2.0 or 0.2.0-rc.1`)
  const heading = /^## \S+ \(not released\)$/m
  if (!heading.test(changelog)) throw new Error(`${files.changelog} has no section with "(not released)"`)
  const locked = JSON.parse(lock)
  locked.version = version
  locked.packages[''].version = version
  return {
    manifest: manifest.replace(/"version": "[^"]*"/, `"version": "${version}"`),
    lock: `${JSON.stringify(locked, null, 2)}\n`,
    chart: chart.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`),
    changelog: changelog.replace(heading, `## ${version} (${today})`),
  }
}

/** @returns the text below the heading of the newest version */
export const releaseNotes = (changelog: string): string => sectionsOf(changelog)[0]?.text ?? ''

function main([command = '', value]: readonly string[]): void {
  const names = Object.entries(files) as [keyof Texts, string][]
  const texts = Object.fromEntries(names.map(([name, path]) => [name, readFileSync(path, 'utf8')])) as Record<keyof Texts, string>
  if (command === 'set' && value) {
    const changed = withVersion(texts, value, new Date().toISOString().slice(0, 10))
    for (const [name, path] of names) writeFileSync(path, changed[name])
  } else if (command === 'check') {
    const faults = releaseFaults(texts, value ?? null)
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exit(1)
    const { version }: { version: string } = JSON.parse(texts.manifest)
    console.log(`version=${version}\nchannel=${channelOf(version)}`)
  } else if (command === 'notes') console.log(releaseNotes(texts.changelog))
  else {
    console.error('Usage: node scripts/release.ts set VERSION | check [TAG] | notes')
    process.exit(2)
  }
}

if (import.meta.main) main(process.argv.slice(2))
