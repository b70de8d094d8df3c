/** Clients that public generators make from the OpenAPI document compile, and sign in to a daemon. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { configText, createProject } from '../daemon/project.ts'
import { everything } from '../kit/everything.ts'
import { ensureParts, perlClient } from '../kit/servers/packages.ts'

const programs = fileURLToPath(new URL('generators', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

async function startDaemon(): Promise<string> {
  const project = await createProject('generated')
  const { emailAndPassword: _, ...members } = everything
  const options = Object.entries({ ...members, server: { port: project.port }, database: { url: 'sqlite:./test.db' } })
  project.configure(configText(project.port, options.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')))
  await project.serve()
  return project.api
}

/** A folder in which packages of this repository are found. */
function emptyFolder(): string {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function saveDocument(api: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${api}/open-api/generate-schema`)).text())
}

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
}

const run = (cwd: string, script: string, ...args: string[]) =>
  execa(process.execPath, [script, ...args], { cwd, reject: false, all: true })

test.each([
  ['openapi-fetch.ts', 'openapi-typescript/bin/cli.js', ['openapi.json', '--output', 'generated/api.d.ts']],
  ['hey-api.ts', '@hey-api/openapi-ts/bin/run.js', ['--input', 'openapi.json', '--output', 'generated']],
])('%s signs up, signs in, reads the session, and handles an error with its type', async (program, generator, args) => {
  const api = await startDaemon()
  const folder = emptyFolder()
  await saveDocument(api, folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'generated'] }))
  copyFileSync(join(programs, program), join(folder, program))

  const generated = await run(folder, join(root, 'tools/client-generators/node_modules', generator), ...args)
  expect(generated.exitCode, generated.all).toBe(0)
  const compiled = await run(folder, join(root, 'node_modules/typescript/bin/tsc'))
  expect(compiled.all).toBe('')
  const ran = await run(folder, program.replace(/ts$/, 'js'), api)
  expect(ran.stderr).toBe('')
  expect(JSON.parse(ran.stdout)).toEqual({ invalid: 'VALIDATION_ERROR', ...outcome })
})

const outcome = {
  signedUp: 'Ann',
  failure: 'INVALID_EMAIL_OR_PASSWORD',
  signedIn: 'ann@example.com',
  updated: true,
  name: 'Anna',
  sessions: 2,
}

/** Where the library for Perl looks for the schema of OpenAPI 3.1, which it would download otherwise. */
function saveSchema(folder: string): void {
  const name = createHash('md5').update('https://spec.openapis.org/oas/3.1/schema/2021-05-20').digest('hex')
  const schema = fileURLToPath(new URL('schemas/v3.1/schema.json', import.meta.resolve('@seriousme/openapi-schema-validator')))
  copyFileSync(schema, join(folder, name))
}

// The library may have to be installed first.
const perl = { timeout: 240_000 }

test('OpenAPI::Client for Perl signs up, signs in and reads the session, and checks bodies and responses', perl, async () => {
  await ensureParts([perlClient])
  const api = await startDaemon()
  const folder = emptyFolder()
  await saveDocument(api, folder)
  saveSchema(folder)
  const program = join(programs, 'openapi-client.pl')
  const env = { JSON_VALIDATOR_CACHE_PATH: folder }
  const ran = await execa('perl', [program, `file://${join(folder, 'openapi.json')}`, api], { env, reject: false })
  expect([ran.exitCode, ran.stderr]).toEqual([0, ''])
  expect(JSON.parse(ran.stdout)).toEqual({ invalid: '/body/password', ...outcome })
})
