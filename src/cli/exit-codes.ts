/** The one table of exit codes: for --help, for the docs and for tests. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  pending: 3,
  answerNeeded: 4,
  refused: 5,
  unreachable: 6,
  locked: 7,
  configInvalid: 8,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Code to meaning, a few words each: they stand in --help. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'Done, or there was nothing to do.',
  1: 'It failed.',
  2: 'The command was written wrongly.',
  3: 'Differences, or work to do (with --exit-code).',
  4: 'An answer is needed and there is no terminal.',
  5: 'Refused by a safety gate.',
  6: 'A database, Redis or mail server could not be reached.',
  7: 'The lock is held elsewhere.',
  8: 'The configuration is invalid.',
  130: 'Interrupted.',
}
