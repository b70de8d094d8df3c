import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { version as current } from '../core/version.ts'
import { Failure } from '../project/failure.ts'
import { command, flag, option } from './command.ts'

export const openapi = command('openapi', 'Print the OpenAPI document', {
  description:
    'The same document as GET /api/auth/open-api/generate-schema. Needs the configuration with its baseURL, but no database and no secret.',
  examples: ['latchkey openapi > openapi.json', 'latchkey openapi --out openapi.json'],
  options: { out: option('-o, --out <file>', 'Write to this file', (z) => z.string().min(1).optional()) },
  exitCodes: [8],
  deadline: 60,
  action: async ({ options, output, cwd, loadConfig }) => {
    const { config } = await loadConfig({ needs: ['baseURL'] })
    const { openAPIDocument } = await import('../features/open-api/index.ts')
    const { enabledFeatures } = await import('../core/feature.ts')
    const { featureList } = await import('../features/index.ts')
    const document = openAPIDocument({ config, features: enabledFeatures(featureList, config) })
    const text = JSON.stringify(document, null, 2)
    if (options.out === undefined) return output.result('openapi/v1', { document }, text)
    await write(resolve(cwd, options.out), `${text}\n`)
    output.result('openapi/v1', { file: options.out }, [])
    output.success(`Wrote ${options.out}`)
  },
})

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (cause) {
    throw new Failure('FILE_NOT_WRITTEN', `Cannot write ${file}`, {
      hint: 'Check that its folder exists and is writable.',
      cause,
    })
  }
}

/** 256 bits: as strong as any key derived from it. */
const bytes = 32

export const secret = command('secret', 'Generate a strong secret', {
  description: 'To replace the secret without signing users out, see "Rotate the secret" in docs/configuration.md.',
  examples: ['latchkey secret', 'latchkey secret --env >> .env'],
  options: { env: flag('--env', 'Print a line for .env') },
  action: async ({ options, output }) => {
    const generated = randomBytes(bytes).toString('base64url')
    output.result('secret/v1', { secret: generated }, options.env ? `LATCHKEY_SECRET=${generated}` : generated)
  },
})

/** The oldest supported versions. */
const databases = { mysql: '8.0.19', mariadb: '10.6', sqlite: 'built in' }

/** Whose clients work without changes. */
const compatibleWith = 'better-auth 1.2.12'

export const version = command('version', 'Show version and platform', {
  examples: ['latchkey version', 'latchkey version --json'],
  action: async ({ output }) => {
    const data = {
      version: current,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      databases,
      compatibleWith,
      licence: 'MIT',
    }
    const supported = `MySQL ${databases.mysql} or later, MariaDB ${databases.mariadb} or later, SQLite (${databases.sqlite})`
    output.result('version/v1', data, [
      `latchkey ${data.version}`,
      `Node.js   ${data.node} on ${data.platform}`,
      `Databases ${supported}`,
      `API       that of ${compatibleWith}: docs/compatibility.md`,
      `License   ${data.licence}`,
    ])
  },
})
