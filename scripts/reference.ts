/** Writes the generated pages of docs, the copied code in the others, and the type of the configuration; `--check` only compares them. */
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { withAccessibilityTable } from './accessibility-table.ts'
import { withAuditTable } from './audit-table.ts'
import { cliReference } from './cli-reference.ts'
import { configurationReference } from './configuration-reference.ts'
import { configurationTypes } from './configuration-types.ts'
import { withDifferenceTable } from './difference-table.ts'
import { exportSchema } from './export-schema.ts'
import { withExportTables } from './export-table.ts'
import { withFailureSections } from './failure-sections.ts'
import { withProviderTable } from './provider-table.ts'
import { withRoleTable } from './role-table.ts'
import { withSnippets } from './snippets.ts'
import { textList } from './text-list.ts'
import { withWireTables } from './wire-table.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const files = {
  'src/config-file.ts': configurationTypes(),
  'src/features/dashboard/texts.json': await textList(),
  'schemas/export-all.v1.json': exportSchema(),
  'docs/configuration-reference.md': configurationReference(),
  'docs/cli.md': await cliReference(),
  'docs/quickstart.md': withSnippets(read('docs/quickstart.md'), read),
  'docs/administration.md': withSnippets(read('docs/administration.md'), read),
  'docs/clients.md': withSnippets(read('docs/clients.md'), read),
  'docs/moving-from-better-auth.md': withDifferenceTable(read('docs/moving-from-better-auth.md')),
  'docs/moving-out.md': withExportTables(read('docs/moving-out.md')),
  'docs/compatibility.md': withWireTables(read('docs/compatibility.md')),
  'docs/dashboard.md': withSnippets(read('docs/dashboard.md'), read),
  'docs/accessibility.md': withAccessibilityTable(read('docs/accessibility.md')),
  'docs/errors.md': withFailureSections(read('docs/errors.md')),
  'docs/audit-log.md': withAuditTable(read('docs/audit-log.md')),
  'docs/organizations.md': withRoleTable(withSnippets(read('docs/organizations.md'), read)),
  'docs/social-sign-in.md': withProviderTable(withSnippets(read('docs/social-sign-in.md'), read)),
  'docs/add-a-provider.md': withSnippets(read('docs/add-a-provider.md'), read),
}

for (const [path, text] of Object.entries(files)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${path} is out of date: run npm run docs\n`)
    process.exitCode = 1
  }
}
