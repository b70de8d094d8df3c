/**
 * Creates src/features/sign-up-policy/disposable-domains.txt. Usage: npm pack disposable-email-domains-js, unpack it,
 * node scripts/disposable-domains.ts FOLDER DATE, with the date of the version as the registry has it (`npm view … time`)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = 'package', date] = process.argv.slice(2)
if (!date || !/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error('Expected the date of the version, such as 2026-09-21')
const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const listed: unknown[] = JSON.parse(readFileSync(join(folder, 'dist/dict/disposable_email_blocklist.json'), 'utf8'))
const domains = new Set(listed.filter((one) => typeof one === 'string' && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(one)))
// Subdomains of a listed domain are disposable too.
const isCovered = (domain: string) => domain.split('.').some((_, at, labels) => at > 0 && domains.has(labels.slice(at).join('.')))
const header = `# ${date} npm package ${name} ${version}, from github.com/disposable-email-domains/disposable-email-domains (CC0-1.0)`
const lines = [...domains].filter((domain) => !isCovered(String(domain))).toSorted()
writeFileSync(
  new URL('../src/features/sign-up-policy/disposable-domains.txt', import.meta.url),
  `${[header, ...lines].join('\n')}\n`,
)
