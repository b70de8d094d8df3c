/** Functions of the configuration around calls (contract 07): `hooks` and `onAPIError`. The request pipeline calls them. */
import { z } from 'zod'
import { type ConfigIssue, callback, group } from '../../core/config.ts'
import type { ErrorEntry } from '../../core/errors.ts'
import { isRelativePath } from '../../lib/url.ts'
import type { Config } from '../index.ts'

/** A call as hooks get it. */
export interface HookCall {
  readonly method: string
  /** Below the base path: `/sign-in/email`. */
  readonly path: string
  readonly headers: Headers
  /** As sent: repeated keys are lists. */
  readonly query: Readonly<Record<string, unknown>>
  /** As sent, before validation; it may contain a password. */
  readonly body: unknown
  /** IP address of the client; empty when IP tracking is disabled. */
  readonly address: string
  readonly requestId: string
}

/** `context` changes the input; `response` is sent instead of running the call; undefined changes nothing. */
export type BeforeCallResult =
  | { readonly context: { readonly query?: Readonly<Record<string, unknown>>; readonly body?: unknown } }
  | { readonly response: unknown }
  | undefined
export type BeforeCallHook = (call: HookCall) => BeforeCallResult | Promise<BeforeCallResult>

/** The outcome as the client gets it: `result`, `redirect` or `error`; none of them for a page. */
export interface HookOutcome {
  readonly result?: unknown
  /** The target of the redirect. */
  readonly redirect?: string
  readonly error?: { readonly status: number; readonly code: string; readonly message: string }
}
/** `response` replaces the outcome; `headers` are added to the response. */
export type AfterCallResult = { readonly response?: unknown; readonly headers?: Readonly<Record<string, string>> } | undefined
export type AfterCallHook = (call: HookCall & HookOutcome) => AfterCallResult | Promise<AfterCallResult>

/** An error as the client gets it. Its `cause`, if any, contains no values of the request. */
export interface ReportedError extends Error {
  readonly status: ErrorEntry['status']
  readonly code: string
}

/** The call that failed. */
export interface FailedCall {
  readonly method: string
  /** The declared path, since a path may contain a secret: `/reset-password/:token`. Empty for an unknown path. */
  readonly path: string
  /** As in the response header `x-request-id` and in the log. */
  readonly requestId: string
}
export type ErrorObserver = (error: ReportedError, call: FailedCall) => unknown

export const config = {
  hooks: group('Functions called before and after every call; if one throws, the call fails', {
    before: callback<BeforeCallHook>()
      .optional()
      .describe('Called before validation; may change the input, or return a response in place of the call'),
    after: callback<AfterCallHook>().optional().describe('Called with the outcome; may replace it and add headers'),
  }),
  onAPIError: group('Error page and error reporting', {
    errorURL: z
      .string()
      .max(2048)
      .optional()
      .describe(
        'URL or path to which a failed browser flow redirects, with the parameter `error`; default: the built-in error page, /error',
      ),
    onError: callback<ErrorObserver>()
      .optional()
      .describe('Called after each error response with the error and the call; the return value is ignored'),
  }),
}

export function checkConfig({ onAPIError: { errorURL } }: Config): ConfigIssue[] {
  if (errorURL === undefined || isRelativePath(errorURL) || isPlainURL(URL.parse(errorURL))) return []
  const message = 'Expected a path such as /oops, or a URL with http: or https:.'
  return [{ id: 'error-url', path: 'onAPIError.errorURL', message }]
}

const isPlainURL = (url: URL | null) => url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
