/** Runs commands in temporary folders, with only the environment variables that a test sets. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, onTestFinished } from 'vitest'
import { type Ended, projectPrefix, runHere } from '../kit/run-here.ts'

export const bin = join(inject('program'), 'bin/latchkey.js')

export type Environment = Readonly<Record<string, string>>

export const inherited: Environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '/',
  TERM: 'xterm-256color',
  LATCHKEY_COMMAND: 'latchkey',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
}

/** Removed with the test. @param files path → text */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(projectPrefix)
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

export interface Input {
  /** What standard input holds. */
  readonly input?: string | Uint8Array
}

type RunCommand = (cwd: string, args: readonly string[], env?: Environment, input?: Input) => Promise<Ended>

/** `latchkey …` without a terminal, inside the test process. For rules about processes use `latchkeyProcess`. */
export const latchkey: RunCommand = (cwd, args, env = {}, input = {}) =>
  runHere({ cwd, args, env: { ...inherited, ...env }, ...input })

/** The same as a process of its own, from the file that users run. */
export const latchkeyProcess: RunCommand = async (cwd, args, env = {}, { input } = {}) => {
  const ended = await execa(process.execPath, [bin, ...args], {
    cwd,
    env: { ...inherited, ...env },
    extendEnv: false,
    reject: false,
    timeout: 60_000,
    ...(input === undefined ? { stdin: 'ignore' } : { stdin: 'pipe', input }),
  })
  return { exitCode: ended.exitCode, stdout: String(ended.stdout ?? ''), stderr: String(ended.stderr ?? '') }
}

/** The same with --json: standard output holds one document and nothing else. */
export async function latchkeyJSON(cwd: string, args: readonly string[], env: Environment = {}, run: RunCommand = latchkey) {
  const ended = await run(cwd, [...args, '--json'], env)
  expect(ended.stdout.trim().split('\n'), ended.stderr).toHaveLength(1)
  const document: Record<string, unknown> = JSON.parse(ended.stdout)
  expect(document.schema).toMatch(/^[a-z-]+\/v1$/)
  return { ...ended, document }
}

export const secret = 'Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0FaE'

/** Fills what every installation has to say. */
export const complete: Environment = {
  LATCHKEY_SECRET: secret,
  LATCHKEY_BASE_URL: 'http://localhost:4000',
  DATABASE_URL: 'sqlite:./test.db',
}

/** @param options the text of the object that is exported */
export const configFile = (options = '{ emailAndPassword: { enabled: true } }'): string =>
  `import { defineConfig } from 'latchkey/config'\n\nexport default defineConfig(${options})\n`
