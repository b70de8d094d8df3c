/** Commands as processes, in folders of their own, with an environment that holds nothing but what a test says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options } from 'execa'
import { expect, onTestFinished } from 'vitest'

export const bin = fileURLToPath(new URL('../../bin/latchkey.js', import.meta.url))

export type Environment = Readonly<Record<string, string>>

const inherited = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', TERM: 'xterm-256color' }

/** Removed with the test. @param files path → text */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'latchkey-cli-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

export interface Ended {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** `latchkey …` without a terminal. */
export async function latchkey(
  cwd: string,
  args: readonly string[],
  env: Environment = {},
  options: Options = {},
): Promise<Ended> {
  const ended = await execa(process.execPath, [bin, ...args], {
    cwd,
    env: { ...inherited, ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 60_000,
    ...options,
  })
  return { exitCode: ended.exitCode, stdout: String(ended.stdout ?? ''), stderr: String(ended.stderr ?? '') }
}

/** The same with --json: standard output holds one document and nothing else. */
export async function latchkeyJSON(cwd: string, args: readonly string[], env: Environment = {}) {
  const ended = await latchkey(cwd, [...args, '--json'], env)
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
