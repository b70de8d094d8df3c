/** Prompts. Every prompt has a flag that replaces it, so that without a terminal the command can list the missing flags. */
import { readAll } from '../lib/async.ts'
import { exitCodes, Failure, interrupted } from '../project/failure.ts'
import { type Context, flag } from './command.ts'
import type { Streams } from './output.ts'

export interface TextQuestion {
  readonly message: string
  /** The flag in place of the prompt, such as `--base-url <url>`. */
  readonly flag: string
  /** The default; accepted with `--yes`. */
  readonly initial: string
  /** The default is also used without a terminal. */
  readonly isOptional?: boolean
  /** @returns an error message, or undefined */
  readonly validate?: (value: string) => string | undefined
}

export interface Prompt {
  /** Whether prompts are possible: a terminal on both ends, no --no-input, no --json, no CI. */
  readonly isAllowed: boolean
  /**
   * Asks one after the other; `--yes` accepts the defaults.
   * @returns the answers in the order of the questions
   * @throws Failure ANSWER_NEEDED (4) with all missing flags, INTERRUPTED (130)
   */
  texts(questions: readonly TextQuestion[]): Promise<string[]>
  /** Hides the input. @throws Failure ANSWER_NEEDED (4), INTERRUPTED (130) */
  secret(question: Pick<TextQuestion, 'message' | 'flag'>): Promise<string>
  /** `--yes` confirms it. @throws Failure ANSWER_NEEDED (4), INTERRUPTED (130) */
  confirm(message: string): Promise<boolean>
  /**
   * Confirms a destructive action by a word, typed or given with `--confirm`; `--yes` is not enough.
   * @param question.message the effect of the action, as a sentence
   * @param question.name the word
   * @param question.given the value of `--confirm`
   * @throws Failure ANSWER_NEEDED (4), NOT_CONFIRMED (5), INTERRUPTED (130)
   */
  confirmName(question: { message: string; name: string; given: string | undefined }): Promise<void>
}

export interface PromptOptions {
  readonly isAllowed: boolean
  readonly yes: boolean
  readonly streams: Streams
  readonly signal: AbortSignal
}

export function createPrompt({ isAllowed, yes, streams, signal }: PromptOptions): Prompt {
  // Standard output is for data; prompts use it only if standard error is not a terminal.
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
      const answer = given ?? (await askText(asker, { message: `${message} Type ${name} to continue`, initial: '' }))
      if (answer === name) return
      throw new Failure('NOT_CONFIRMED', `Not confirmed: "${answer}" is not ${name}`, {
        exitCode: exitCodes.refused,
        hint: 'Nothing was changed.',
      })
    },
  }
}

type Asker = { readonly output: Streams['stdout']; readonly signal: AbortSignal }

async function askText(asker: Asker, question: Pick<TextQuestion, 'message' | 'initial' | 'validate'>): Promise<string> {
  const { isCancel, text } = await import('@clack/prompts')
  const { message, initial, validate } = question
  const check = (value: string | undefined) => validate?.(value ?? '')
  const answer = await text({ message, initialValue: initial, defaultValue: '', validate: check, ...asker })
  if (isCancel(answer)) throw interrupted()
  return answer
}

const answerNeeded = (flags: readonly string[], message?: string): Failure =>
  new Failure('ANSWER_NEEDED', `${message ? `${message} ` : ''}Input is needed, but there is no terminal`, {
    exitCode: exitCodes.answerNeeded,
    hint: `Add ${flags.join(' ')}`,
    details: flags.map((flag) => ({ id: 'missing-flag', path: flag, message: 'is missing' })),
  })

const maxInputBytes = 65_536

export const passwordOption = flag('--password-stdin', 'Read the password from standard input')

/**
 * Reads a password from a pipe or a hidden prompt.
 * @throws Failure PASSWORD_INPUT (2), ANSWER_NEEDED (4), INTERRUPTED (130)
 */
export async function readPassword({ prompt, stdin }: Pick<Context, 'prompt' | 'stdin'>, isPiped: boolean): Promise<string> {
  if (!isPiped || stdin.isTTY) return prompt.secret({ message: 'New password', flag: '--password-stdin' })
  const bytes = await readAll(stdin, maxInputBytes)
  if (bytes === null) throw inputFailure('is too long')
  return firstLine(bytes)
}

function firstLine(bytes: Buffer): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw inputFailure('is not UTF-8')
  }
  // `echo` and editors append a newline. More lines are an error, not silently ignored.
  const password = text.replace(/\r?\n$/, '')
  if (password === '') throw inputFailure('is empty')
  if (/[\r\n]/.test(password)) throw inputFailure('has more than one line')
  return password
}

const inputFailure = (what: string): Failure =>
  new Failure('PASSWORD_INPUT', `The password on standard input ${what}`, {
    exitCode: exitCodes.usage,
    hint: 'Pipe it in: latchkey users set-password ann@example.com --password-stdin < file',
  })
