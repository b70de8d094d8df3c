/** Where the configuration lies, and the `.env` beside it. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'

const names = ['auth.config.ts', join('config', 'auth.config.ts')]

/**
 * @param named what `--config` says
 * @returns an absolute path; null when none is named and none is found in `cwd` or above
 * @throws CliFailure CONFIG_NOT_FOUND when the named file does not exist
 */
export function findConfigFile(cwd: string, named: string | undefined): string | null {
  if (named !== undefined) return namedFile(resolve(cwd, named), named)
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find((path) => isFile(path))
    if (found) return found
    if (dirname(folder) === folder) return null
  }
}

function namedFile(path: string, named: string): string {
  if (isFile(path)) return path
  throw new CliFailure('CONFIG_NOT_FOUND', `There is no file ${named}`, {
    exitCode: exitCodes.configInvalid,
    hint: existsSync(path)
      ? 'It is a folder: name the file in it.'
      : 'Check what --config says; paths are relative to the working directory.',
  })
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

export const configNotFound = (cwd: string): CliFailure =>
  new CliFailure('CONFIG_NOT_FOUND', `There is no auth.config.ts in ${cwd} or a folder above it`, {
    exitCode: exitCodes.configInvalid,
    hint: 'Write one with `latchkey init`, or name it with --config.',
  })

/** The folder that `.latchkey/`, `migrations/` and relative paths belong to: that of the file, or the one above `config/`. */
export function projectDirectory(file: string): string {
  const folder = dirname(file)
  return basename(folder) === 'config' ? dirname(folder) : folder
}

/**
 * Adds what `.env` says to the environment; what is there already wins, in whichever of its two forms.
 * @throws CliFailure ENV_UNREADABLE
 */
export function readDotEnv(file: string, env: Environment): void {
  const text = readIfPresent(file)
  if (text === null) return
  const given = new Set(Object.keys(env).filter((name) => env[name] !== undefined))
  for (const [name, value] of Object.entries(parseEnv(text))) {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`
    if (!given.has(name) && !given.has(other)) env[name] = value
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    const message = `${file} cannot be read`
    throw new CliFailure('ENV_UNREADABLE', message, {
      exitCode: exitCodes.configInvalid,
      hint: 'Check its owner and mode.',
      cause,
    })
  }
}
