/** What `latchkey init --package` adds to a configuration: a package, the servers for this machine, a CI workflow and the first migration. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { version } from '../../core/version.ts'
import type { Environment } from '../../project/environment.ts'
import { loadConfig } from '../../project/load-config.ts'
import { composeText, type Servers } from './compose-servers.ts'
import type { NewFiles, WrittenFile } from './project-files.ts'

/** @param answers with the URLs that `.env` gets @returns texts by path; none of them contains a secret */
export const packageFiles = (directory: string, answers: Servers): NewFiles => ({
  'package.json': manifestText(directory),
  'compose.yaml': composeText(answers),
  '.github/workflows/latchkey.yml': workflowText(answers),
})

/** Also for an embedded database, which does not use it: the project can move to MySQL. @returns null if there are migrations */
export async function writeFirstMigration(directory: string, env: Environment): Promise<WrittenFile | null> {
  const { declaredSchema, migrationsFolder } = await import('../../project/schema-check.ts')
  const { generate } = await import('../../migrate/index.ts')
  const dir = migrationsFolder(directory)
  if (existsSync(join(dir, 'snapshot.json'))) return null
  // A copy, because loading adds the variables of `.env`.
  const loaded = await loadConfig({ cwd: directory, env: { ...env }, configFlag: undefined, needs: [] })
  const { written } = await generate({ schema: declaredSchema(loaded), dir, name: 'initial', acknowledge: [] })
  return written && { path: `migrations/${basename(written.paths[0] ?? '')}`, outcome: 'created' }
}

/** A name that npm accepts. */
const packageName = (directory: string): string =>
  basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '') || 'accounts'

function manifestText(directory: string): string {
  const manifest = {
    name: packageName(directory),
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.19' },
    scripts: {
      dev: 'latchkey dev',
      start: 'latchkey start',
      check: 'latchkey config check && latchkey migrate generate --check',
    },
    dependencies: { latchkey: `^${version}` },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

const databaseOfJob = `
    services:
      mysql:
        image: mysql:8.4
        env: { MYSQL_DATABASE: latchkey, MYSQL_ROOT_PASSWORD: only-in-this-job }
        ports: ['3306:3306']
        options: --health-cmd="mysqladmin ping --host=127.0.0.1" --health-interval=5s --health-retries=30`

const migrationSteps = `
      - run: npx latchkey migrate up --yes --wait-for-db 60
      - run: npx latchkey migrate status --exit-code`

function workflowText({ databaseUrl }: Servers): string {
  const isEmbedded = databaseUrl.startsWith('sqlite:')
  return `\
# Checks each change: the configuration, its migrations on an empty database, and a daemon that serves.
name: Latchkey
on:
  push: { branches: [main] }
  pull_request:
permissions: { contents: read }

jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 15${isEmbedded ? '' : databaseOfJob}
    env:
      LATCHKEY_BASE_URL: http://localhost:4000
      DATABASE_URL: ${isEmbedded ? 'sqlite:./latchkey.db' : 'mysql://root:only-in-this-job@127.0.0.1:3306/latchkey'}
      SMTP_URL: smtp://127.0.0.1:1025
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with: { node-version: 24, cache: npm }
      - run: npm ci
      - run: echo "LATCHKEY_SECRET=$(npx latchkey secret)" >> "$GITHUB_ENV"
      - run: npm run check${isEmbedded ? '' : migrationSteps}
      - run: npx latchkey start --detach
      - run: curl --fail http://127.0.0.1:4000/readyz
`
}
