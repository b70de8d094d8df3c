/** How the user types the name of this program, for hints, examples and usage lines, which are written with `latchkey`. */
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printable } from '../lib/redact.ts'
import type { Environment } from '../project/environment.ts'
import { chapters } from './command-list.ts'

const ownScript = fileURLToPath(new URL('../../bin/latchkey.js', import.meta.url))

export interface Place {
  readonly env: Environment
  readonly cwd: string
  /** Path of the program. Default: of this one. */
  readonly script?: string
}

/**
 * @returns the value of LATCHKEY_COMMAND, which container images set; `latchkey` for the program on the PATH; `npx latchkey` in a
 * project that has it installed, and in its repository; otherwise `node` with its path
 */
export function findInvocation({ env, cwd, script = ownScript }: Place): string {
  if (env.LATCHKEY_COMMAND) return printable(env.LATCHKEY_COMMAND)
  const own = realOf(script)
  const onPath = programsOnPath(env.PATH ?? '')
  if (onPath.includes(own)) return 'latchkey'
  const modules = own.indexOf(`${sep}node_modules${sep}`)
  const root = modules < 0 ? join(own, '../..') : own.slice(0, modules)
  const isCached = own.includes(`${sep}_npx${sep}`)
  if (isCached || `${realOf(cwd)}${sep}`.startsWith(`${root}${sep}`)) return 'npx latchkey'
  // Package managers other than npm put a script of their own on the PATH.
  if (onPath.length > 0) return 'latchkey'
  return /\s/.test(own) ? `node '${own}'` : `node ${own}`
}

/** Without the folders that npm puts on the PATH of its scripts only. */
const programsOnPath = (path: string): string[] =>
  path
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.endsWith(join('node_modules', '.bin')))
    .map((folder) => join(folder, 'latchkey'))
    .filter((program) => existsSync(program))
    .map(realOf)

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

const names = chapters.flatMap(({ entries }) => entries.map(({ name }) => name))
const commands = new RegExp(`(?<![\\w./-])latchkey (?=(?:${names.join('|')})(?![\\w-])|--help|<command>)`, 'g')

/** Replaces `latchkey` before the name of a command. */
export type Typed = (text: string) => string

/** Looks at the file system only when a text names a command. */
export function createTyped(place: Place): Typed {
  let invocation: string | undefined
  return (text) =>
    text.replaceAll(commands, () => {
      invocation ??= findInvocation(place)
      return `${invocation} `
    })
}
