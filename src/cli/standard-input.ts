/** A secret on standard input, so that it stands neither in the list of processes nor in the history of a shell. */
import type { BaseContext } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'

const largest = 65_536

export const passwordOption = {
  flags: '--password-stdin',
  description: 'Read the password from standard input',
}

/**
 * The password that was piped in, or typed unseen.
 * @throws CliFailure PASSWORD_INPUT (2), ANSWER_NEEDED (4), INTERRUPTED (130)
 */
export async function readPassword({ prompt }: Pick<BaseContext, 'prompt'>, isPiped: boolean): Promise<string> {
  if (!isPiped || process.stdin.isTTY) return prompt.secret({ message: 'New password', flag: '--password-stdin' })
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > largest) throw inputFailure('is too long')
    chunks.push(bytes)
  }
  return firstLine(Buffer.concat(chunks))
}

function firstLine(bytes: Buffer): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw inputFailure('is no UTF-8')
  }
  // `echo` and editors end it with a newline that is no part of it; a second line would be lost in silence.
  const password = text.replace(/\r?\n$/, '')
  if (password === '') throw inputFailure('is empty')
  if (/[\r\n]/.test(password)) throw inputFailure('has more than one line')
  return password
}

const inputFailure = (what: string): CliFailure =>
  new CliFailure('PASSWORD_INPUT', `The password on standard input ${what}`, {
    exitCode: exitCodes.usage,
    hint: 'Pipe it in: latchkey users set-password ann@example.com --password-stdin < file',
  })
