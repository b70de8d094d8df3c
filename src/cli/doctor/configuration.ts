/** What the configuration says about its own strength. */
import type { Config } from '../../features/index.ts'
import { type Finding, ok, warning } from './finding.ts'

/** What is too weak is refused when the configuration is loaded; in development only what is short. */
export function checkSecret({ secret, environment }: Config): Finding {
  const secrets = [secret ?? []].flat()
  const title = 'Secret'
  const weak = secrets.some((text) => new Set(text).size < 12)
  if (weak)
    return warning(
      'secret',
      title,
      `Easy to guess, which is accepted because this is ${environment}`,
      'Make one with `latchkey secret`.',
    )
  const [newest = ''] = secrets
  const older = secrets.length === 1 ? '' : `, and ${secrets.length - 1} older to be taken away one day`
  return ok('secret', title, `${newest.length} characters${older}`)
}

export function checkEnvironment({ environment }: Config): Finding {
  if (environment === 'production') return ok('environment', 'Environment', environment)
  const message = 'development: limits are off unless asked for, and start-up checks are relaxed'
  return warning(
    'environment',
    'Environment',
    message,
    'Unset NODE_ENV, or set it to production, where others can reach the daemon.',
  )
}
