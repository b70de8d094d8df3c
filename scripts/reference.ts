/** Writes the generated pages of docs, and the copied code in the others; `--check` only compares them. */
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { withAuditTable } from './audit-table.ts'
import { cliReference } from './cli-reference.ts'
import { configurationReference } from './configuration-reference.ts'
import { withProviderTable } from './provider-table.ts'
import { withRoleTable } from './role-table.ts'
import { withSnippets } from './snippets.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const pages = {
  'configuration-reference.md': configurationReference(),
  'cli.md': await cliReference(),
  'quickstart.md': withSnippets(read('docs/quickstart.md'), read),
  'administration.md': withSnippets(read('docs/administration.md'), read),
  'clients.md': withSnippets(read('docs/clients.md'), read),
  'moving.md': withSnippets(read('docs/moving.md'), read),
  'dashboard.md': withSnippets(read('docs/dashboard.md'), read),
  'audit-log.md': withAuditTable(read('docs/audit-log.md')),
  'organizations.md': withRoleTable(withSnippets(read('docs/organizations.md'), read)),
  'social-sign-in.md': withProviderTable(withSnippets(read('docs/social-sign-in.md'), read)),
  'add-a-provider.md': withSnippets(read('docs/add-a-provider.md'), read),
}

for (const [name, text] of Object.entries(pages)) {
  const file = fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`docs/${name} is out of date: run npm run docs\n`)
    process.exitCode = 1
  }
}
