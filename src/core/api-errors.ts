/** `onAPIError` of the configuration (contract 07): where a redirect without a target of its own ends, and who is told of errors. */
import { z } from 'zod'
import type { Config } from '../features/index.ts'
import { isRelativePath, withParameter } from '../lib/url.ts'
import { apiURL } from './base-url.ts'
import { callback, group } from './config.ts'
import type { ErrorStatus } from './errors.ts'

/** An error as its caller is told it. What led to it, if anything, is its `cause`, without the values that somebody had sent. */
export interface ReportedError extends Error {
  readonly status: ErrorStatus
  readonly code: string
}

/** The call that ended with an error. */
export interface FailedCall {
  readonly method: string
  /** As it is declared, since a path may hold a secret: `/reset-password/:token`. Empty for a path that no call has. */
  readonly path: string
  /** In the header `x-request-id` of the answer, and in the log. */
  readonly requestId: string
}
export type ErrorObserver = (error: ReportedError, call: FailedCall) => unknown

const isTarget = (text: string) => isRelativePath(text) || isPlainURL(URL.parse(text))
const isPlainURL = (url: URL | null) => url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password

export const apiErrorConfig = {
  onAPIError: group('Errors', {
    errorURL: z
      .string()
      .max(2048)
      .optional()
      .describe('Where a browser ends whose redirect failed, as a URL or a path; gets `error`. Default: our page /error'),
    onError: callback<ErrorObserver>()
      .optional()
      .describe('Told of every error that is answered, and of the call; changes nothing'),
  }),
}

/** @returns null when a browser may be sent there */
export const errorURLFault = ({ onAPIError: { errorURL } }: Config): string | null =>
  errorURL === undefined || isTarget(errorURL) ? null : 'Expected a path such as /oops, or an address with http: or https:.'

/** The page on which a redirect ends that has failed and has no target of its own (contract 00 §4). */
export const errorPage = (config: Config, code: string): string =>
  withParameter(config.onAPIError.errorURL ?? `${apiURL(config)}/error`, 'error', code)
