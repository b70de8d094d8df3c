/** Prompts. Every prompt has a flag that replaces it, so that without a terminal the command can list the missing flags. */
import { styleText } from 'node:util'
import { readAll } from '../lib/async.ts'
import { maskSecrets } from '../lib/redact.ts'
import { shellWord } from '../lib/text.ts'
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
  /** Tries a valid answer. After a failure the user decides whether to use it. @returns null if there is nothing to try */
  readonly trial?: (value: string) => Promise<Trial | null>
}

export interface Trial {
  readonly isWorking: boolean
  readonly message: string
}

export interface Prompt {
  /** Whether prompts are possible: a terminal on both ends, no --no-input, no --json, no CI. */
  readonly isAllowed: boolean
  /** Whether prompts are possible and `--yes` does not accept their defaults. */
  readonly isAsking: boolean
  /**
   * Asks one after the other; Enter and `--yes` accept the defaults.
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
    isAsking: isAllowed && !yes,
    texts: (questions) => askTexts(asker, questions, { isAllowed, yes }),
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
      return askConfirmation(asker, { message })
    },
    confirmName: async ({ message, name, given }) => {
      if (given === undefined && !isAllowed) throw answerNeeded([`--confirm ${shellWord(name)}`], { message })
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

async function askTexts(
  asker: Asker,
  questions: readonly TextQuestion[],
  { isAllowed, yes }: Pick<PromptOptions, 'isAllowed' | 'yes'>,
): Promise<string[]> {
  const isOpen = ({ isOptional = false }: TextQuestion) => !yes && (isAllowed || !isOptional)
  const flags = questions.filter(isOpen).map(({ flag }) => flag)
  if (flags.length > 0 && !isAllowed) throw answerNeeded(flags, { more: ', or --yes to accept the defaults' })
  const answers: string[] = []
  for (const question of questions) answers.push(isOpen(question) ? await askUntilAccepted(asker, question) : question.initial)
  return answers
}

async function askUntilAccepted(asker: Asker, question: TextQuestion): Promise<string> {
  for (;;) {
    const answer = await askText(asker, question)
    const result = await question.trial?.(answer)
    if (!result) return answer
    asker.output.write(`${result.isWorking ? '✓' : '!'} ${result.message}\n`)
    if (result.isWorking) return answer
    if (await askConfirmation(asker, { message: 'Use it anyway?', initialValue: false })) return answer
  }
}

async function askConfirmation(asker: Asker, question: { message: string; initialValue?: boolean }): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ ...question, ...asker })
  if (isCancel(answer)) throw interrupted()
  return answer
}

type TextPromptOptions = Pick<TextQuestion, 'message' | 'initial' | 'validate'>

/** Not `text` of the library: that prints the answer unchanged, with the password of a URL. */
async function askText(asker: Asker, { message, initial, validate }: TextPromptOptions): Promise<string> {
  const { isCancel, TextPrompt } = await import('@clack/core')
  const { S_BAR, S_BAR_END, symbol } = await import('@clack/prompts')
  const bar = (text: string) => styleText('gray', text)
  const prompt = new TextPrompt({
    ...asker,
    defaultValue: initial,
    validate: (value) => validate?.(value?.trim() || initial),
    render() {
      const head = `${bar(S_BAR)}\n${symbol(this.state)}  ${message}${initial ? ` [${initial}]` : ''}\n${bar(S_BAR)}  `
      if (this.state === 'submit' || this.state === 'cancel') return `${head}${styleText('dim', maskSecrets(this.value ?? ''))}`
      const error = this.state === 'error' ? `  ${styleText('yellow', this.error)}` : ''
      return `${head}${this.userInputWithCursor}\n${bar(S_BAR_END)}${error}\n`
    },
  })
  const answer = await prompt.prompt()
  if (isCancel(answer)) throw interrupted()
  return (answer ?? '').trim()
}

interface NeededText {
  readonly message?: string
  /** Follows the flags in the hint. */
  readonly more?: string
}

const answerNeeded = (flags: readonly string[], { message, more = '' }: NeededText = {}): Failure =>
  new Failure('ANSWER_NEEDED', `${message ? `${message} ` : ''}Input is needed, but there is no terminal`, {
    exitCode: exitCodes.answerNeeded,
    hint: `Add ${flags.join(' ')}${more}`,
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
  return firstLine(bytes, inputFailure)
}

/** The text of a secret of one line. @param fail makes the failure of what is wrong, such as `is empty` */
export function firstLine(bytes: Buffer, fail: (what: string) => Failure): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fail('is not UTF-8')
  }
  // `echo` and editors append a newline. More lines are an error, not silently ignored.
  const password = text.replace(/\r?\n$/, '')
  if (password === '') throw fail('is empty')
  if (/[\r\n]/.test(password)) throw fail('has more than one line')
  return password
}

const inputFailure = (what: string): Failure =>
  new Failure('PASSWORD_INPUT', `The password on standard input ${what}`, {
    exitCode: exitCodes.usage,
    hint: 'Pipe one line of text to the command: add `< file` with a file that contains the password.',
  })
