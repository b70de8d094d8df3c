/** The machine and the files: Node, modes, the cost of a password hash. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createHasher } from '../../adapters/hasher.ts'
import type { Metrics } from '../../core/ports.ts'
import type { Config } from '../../features/index.ts'
import { type Finding, failed, medianTime, milliseconds, ok, skipped, warning } from './finding.ts'

export function checkNode(version: string): Finding {
  const [major = 0] = version.split('.').map(Number)
  if (major % 2 === 0) return ok('node', 'Node.js', version)
  return warning(
    'node',
    'Node.js',
    `${version} is no long-term release`,
    'Use one with an even first number: it gets security fixes for years.',
  )
}

/** Who else on this machine may read what only the daemon needs. */
export function checkModes(directory: string): Finding[] {
  return [
    checkMode('env-mode', '.env', join(directory, '.env'), '600'),
    checkMode('state-mode', '.latchkey', join(directory, '.latchkey'), '700'),
    ...checkState(directory),
  ]
}

function checkMode(id: string, title: string, path: string, wanted: string): Finding {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return skipped(id, title, 'Not there')
  const mode = (stats.mode & 0o777).toString(8)
  const mend = `chmod ${wanted} ${path}`
  if ((stats.mode & 0o007) !== 0) return failed(id, title, `Mode ${mode}: everybody on this machine can use it`, mend)
  if ((stats.mode & 0o070) !== 0) return warning(id, title, `Mode ${mode}: its group can use it`, mend)
  return ok(id, title, `Mode ${mode}`)
}

function checkState(directory: string): Finding[] {
  const folder = join(directory, '.latchkey')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  const exposed = readdirSync(folder).filter(
    (name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o007,
  )
  if (exposed.length === 0) return []
  return [
    failed(
      'state-file-modes',
      '.latchkey',
      `Everybody on this machine can use ${exposed.join(', ')}`,
      `chmod o= ${exposed.map((name) => join(folder, name)).join(' ')}`,
    ),
  ]
}

const unmeasured: Metrics = { count: () => {}, observe: () => {} }

export async function checkHasher({ passwordHash }: Config): Promise<Finding> {
  const title = 'Password hashes'
  const hasher = await createHasher(passwordHash, unmeasured)
  const time = await medianTime(3, () => hasher.hash('a password that nobody has'))
  const { memory, iterations, parallelism } = passwordHash
  const message = `${hasher.implementation}: ${milliseconds(time)} each (m=${memory}, t=${iterations}, p=${parallelism})`
  if (time > 1000)
    return warning(
      'password-hash',
      title,
      message,
      'Signing in takes long, and few can do so at once: lower passwordHash.iterations or memory.',
    )
  if (hasher.implementation === 'argon2')
    return warning(
      'password-hash',
      title,
      message,
      'Install the optional @node-rs/argon2: it makes the same hashes in about half the time.',
    )
  return ok('password-hash', title, message)
}
