/** The passphrase of an encrypted export: typed, or in a file. Never an argument, which every user of the machine can read. */
import { readAll } from '../../lib/async.ts'
import { exitCodes, Failure, usageError } from '../../project/failure.ts'
import { type Context, text } from '../command.ts'
import { firstLine } from '../prompt.ts'

export const passphraseOption = text('--passphrase-file <file>', 'Read the passphrase of the export from this file')

const flag = '--passphrase-file <file>'
const mostBytes = 4096

/** The passphrase in a file, of one line. @throws Failure USAGE, and what opening a file throws */
export async function readPassphrase({ cwd }: Pick<Context, 'cwd'>, name: string): Promise<string> {
  const { resolve } = await import('node:path')
  const { open } = await import('node:fs/promises')
  const handle = await open(resolve(cwd, name))
  const bytes = await readAll(handle.createReadStream(), mostBytes)
  const fail = (what: string) => usageError(`--passphrase-file: ${name} ${what}`, 'Write one line of text into the file.')
  if (bytes === null) throw fail('is too long')
  return firstLine(bytes, fail)
}

/** Asks for the passphrase of an export that exists. @throws Failure ANSWER_NEEDED (4), INTERRUPTED (130) */
export const askPassphrase = ({ prompt }: Pick<Context, 'prompt'>): Promise<string> =>
  prompt.secret({ message: 'Passphrase of the export', flag })

/**
 * The passphrase of a new export. It is asked for twice, because no one can read the export after a slip.
 * @param shortest characters
 * @throws Failure USAGE, PASSPHRASE_SHORT (2), PASSPHRASES_DIFFER (2), ANSWER_NEEDED (4), INTERRUPTED (130)
 */
export async function choosePassphrase(
  context: Pick<Context, 'cwd' | 'prompt'>,
  file: string | undefined,
  shortest: number,
): Promise<string> {
  const { prompt } = context
  const isTyped = file === undefined
  const chosen = isTyped
    ? await prompt.secret({ message: `New passphrase of the export, ${shortest} characters or more`, flag })
    : await readPassphrase(context, file)
  if ([...chosen].length < shortest)
    throw new Failure('PASSPHRASE_SHORT', `The passphrase has fewer than ${shortest} characters`, { exitCode: exitCodes.usage })
  if (isTyped && (await prompt.secret({ message: 'The same passphrase again', flag })) !== chosen)
    throw new Failure('PASSPHRASES_DIFFER', 'The two passphrases differ', {
      exitCode: exitCodes.usage,
      hint: 'Nothing was written.',
    })
  return chosen
}
