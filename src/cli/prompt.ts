/** Questions. Each has a flag that answers it, so that without a terminal the command can say which flags are missing. */

import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import type { Streams } from './output.ts'

export interface TextQuestion {
  readonly message: string
  /** What would have answered it, such as `--base-url <url>`. */
  readonly flag: string
  /** Offered, and taken with `--yes`. */
  readonly initial: string
  /** What is offered is also taken when nobody can be asked. */
  readonly isOptional?: boolean
  /** @returns what is wrong, or undefined */
  readonly validate?: (value: string) => string | undefined
}

export interface ConfirmNameQuestion {
  /** What is about to be done, as a sentence. */
  readonly message: string
  /** What has to be typed. */
  readonly name: string
  /** What `--confirm` has said. */
  readonly given: string | undefined
}

export interface SecretQuestion {
  readonly message: string
  /** What would have answered it. */
  readonly flag: string
}

export interface Prompt {
  /** Whether questions may be asked: a terminal on both ends, no --no-input, no --json, no CI. */
  readonly isAllowed: boolean
  /**
   * Asks one after the other; `--yes` takes what they offer.
   * @returns the answers in the order of the questions
   * @throws CliFailure ANSWER_NEEDED (4) with all missing flags, INTERRUPTED (130)
   */
  texts(questions: readonly TextQuestion[]): Promise<string[]>
  /** What is typed is not shown. @throws CliFailure ANSWER_NEEDED (4), INTERRUPTED (130) */
  secret(question: SecretQuestion): Promise<string>
  /** `--yes` answers it. @throws CliFailure ANSWER_NEEDED (4), INTERRUPTED (130) */
  confirm(message: string): Promise<boolean>
  /**
   * A destructive step: its name is typed, or given with `--confirm`; `--yes` does not answer it.
   * @throws CliFailure ANSWER_NEEDED (4), NOT_CONFIRMED (5), INTERRUPTED (130)
   */
  confirmName(question: ConfirmNameQuestion): Promise<void>
}

export interface PromptOptions {
  readonly isAllowed: boolean
  readonly yes: boolean
  readonly streams: Streams
  readonly signal: AbortSignal
}

export function createPrompt({ isAllowed, yes, streams, signal }: PromptOptions): Prompt {
  // Standard output is for data; it takes questions only when standard error is no terminal.
  const output = streams.stderr.isTTY ? streams.stderr : streams.stdout
  const asker: Asker = { output, signal }
  return {
    isAllowed,
    texts: async (questions) => {
      const isOpen = ({ isOptional = false }: TextQuestion) => !yes && (isAllowed || !isOptional)
      const open = questions.filter(isOpen)
      if (open.length > 0 && !isAllowed) throw answerNeeded(open.map(({ flag }) => flag))
      const answers: string[] = []
      for (const question of questions) answers.push(isOpen(question) ? await askText(asker, question) : question.initial)
      return answers
    },
    secret: async ({ message, flag }) => {
      if (!isAllowed) throw answerNeeded([flag])
      const { isCancel, password } = await import('@clack/prompts')
      const answer = await password({ message, ...asker })
      if (isCancel(answer)) throw interrupted()
      return answer
    },
    confirm: async (message) => {
      if (yes) return true
      if (!isAllowed) throw answerNeeded(['--yes'])
      const { confirm, isCancel } = await import('@clack/prompts')
      const answer = await confirm({ message, ...asker })
      if (isCancel(answer)) throw interrupted()
      return answer
    },
    confirmName: async ({ message, name, given }) => {
      if (given === undefined && !isAllowed) throw answerNeeded([`--confirm ${name}`], message)
      const answer = given ?? (await askText(asker, { message: `${message} Type ${name} to go on`, initial: '' }))
      if (answer === name) return
      throw new CliFailure('NOT_CONFIRMED', `Not confirmed: "${answer}" is not ${name}`, {
        exitCode: exitCodes.refused,
        hint: 'Nothing was changed.',
      })
    },
  }
}

interface Asker {
  readonly output: Streams['stdout']
  readonly signal: AbortSignal
}

async function askText(asker: Asker, question: Pick<TextQuestion, 'message' | 'initial' | 'validate'>): Promise<string> {
  const { isCancel, text } = await import('@clack/prompts')
  const { message, initial, validate } = question
  const check = (value: string | undefined) => validate?.(value ?? '')
  const answer = await text({ message, initialValue: initial, defaultValue: '', validate: check, ...asker })
  if (isCancel(answer)) throw interrupted()
  return answer
}

export const interrupted = (): CliFailure =>
  new CliFailure('INTERRUPTED', 'Interrupted', { exitCode: exitCodes.interrupted, retryable: true })

const answerNeeded = (flags: readonly string[], message?: string): CliFailure =>
  new CliFailure('ANSWER_NEEDED', `${message ? `${message} ` : ''}An answer is needed, and there is nobody to ask`, {
    exitCode: exitCodes.answerNeeded,
    hint: `Add ${flags.join(' ')}`,
    details: flags.map((flag) => ({ id: 'missing-flag', path: flag, message: 'is missing' })),
  })
