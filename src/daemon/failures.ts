/** Failures of the daemon, and how they travel between processes. */

import { exitCodes } from '../cli/exit-codes.ts'
import { CliFailure } from '../cli/failure.ts'
import type { Failure } from './messages.ts'

/** Without its cause: that stays in the log of the process in which it happened. */
export const packFailure = ({ code, message, exitCode, hint, retryable, details }: CliFailure): Failure => ({
  code,
  message,
  exitCode,
  hint,
  retryable,
  details,
})

export const unpackFailure = ({ code, message, ...options }: Failure): CliFailure => new CliFailure(code, message, options)

export const notRunning = (directory: string): CliFailure =>
  new CliFailure('NOT_RUNNING', `No daemon serves ${directory}`, { hint: 'Start one with `latchkey start --detach`.' })

/** What the system says of an address that cannot be listened on. */
export function listenFailure(error: unknown, host: string, port: number, option: string): CliFailure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (code === 'EADDRINUSE') {
    return new CliFailure('PORT_IN_USE', `Another program listens on ${where}`, {
      hint: `Stop it, or choose another port: ${option}. \`ss -ltnp\` shows who it is.`,
      cause: error,
    })
  }
  if (code === 'EACCES') {
    const hint = `Choose a port above 1023: ${option}; or grant the capability CAP_NET_BIND_SERVICE.`
    return new CliFailure('PORT_REFUSED', `This account may not listen on ${where}`, { hint, cause: error })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const hint = 'Write an address of this machine; 0.0.0.0 and :: mean all of them.'
    return new CliFailure('HOST_UNKNOWN', `${host} is no address of this machine`, {
      exitCode: exitCodes.failed,
      hint,
      cause: error,
    })
  }
  return new CliFailure(
    'LISTEN_FAILED',
    `Cannot listen on ${where}: ${error instanceof Error ? error.message : 'unknown reason'}`,
    { cause: error },
  )
}
