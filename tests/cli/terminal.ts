/** Commands on a terminal that `script` of util-linux creates. */
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { expect, vi } from 'vitest'
import { bin, type Environment, inherited } from './kit.ts'

export interface Terminal {
  /** Waits until this is on the screen, behind what was there at the answer before, then types. */
  answer(words: string, keys: string): Promise<void>
  /** All that was on the screen. */
  text(): string
  readonly ended: Promise<number | undefined>
}

/** Part of util-linux, which every Linux has. */
const maker = 'script'
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export function onTerminal(cwd: string, args: readonly string[], env: Environment = {}): Terminal {
  // Without a size the terminal is zero columns wide.
  const command = `stty cols 100 rows 40; exec ${[process.execPath, bin, ...args].map(quoted).join(' ')}`
  const child = execa(maker, ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd,
    env: { ...inherited, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    extendEnv: false,
    reject: false,
    timeout: 60_000,
  })
  let screen = ''
  let seen = 0
  child.stdout.on('data', (chunk) => {
    screen += String(chunk)
  })
  const text = () => stripVTControlCharacters(screen)
  return {
    text,
    ended: child.then(({ exitCode }) => exitCode),
    answer: async (words, keys) => {
      await vi.waitFor(() => expect(text().slice(seen)).toContain(words), { timeout: 20_000, interval: 20 })
      seen = text().length
      child.stdin.write(keys)
    },
  }
}
