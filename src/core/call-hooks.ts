/** `hooks` of the configuration (contract 07): the installation's own functions around every call. */
import { callback, group } from './config.ts'

/** What a hook is told about a call. */
export interface HookCall {
  readonly method: string
  /** Below the base path: `/sign-in/email`. */
  readonly path: string
  readonly headers: Headers
  /** As sent: repeated keys are lists. */
  readonly query: Readonly<Record<string, unknown>>
  /** As sent, before it is checked; it may hold a password. */
  readonly body: unknown
  /** The client's address; empty when addresses are not tracked. */
  readonly address: string
  readonly requestId: string
}

/** `context` changes what was sent, `response` is the answer, and the call is not made; nothing leaves everything as it is. */
export type BeforeCallAnswer =
  | { readonly context: { readonly query?: Readonly<Record<string, unknown>>; readonly body?: unknown } }
  | { readonly response: unknown }
  | undefined
export type BeforeCallHook = (call: HookCall) => BeforeCallAnswer | Promise<BeforeCallAnswer>

/** The outcome as the client will see it: `result`, `redirect` or `error`; a page is none of them. */
export interface HookOutcome {
  readonly result?: unknown
  /** Where the browser is sent. */
  readonly redirect?: string
  readonly error?: { readonly status: number; readonly code: string; readonly message: string }
}
/** `response` takes the place of the outcome, `headers` are added to the answer. */
export type AfterCallAnswer = { readonly response?: unknown; readonly headers?: Readonly<Record<string, string>> } | undefined
export type AfterCallHook = (call: HookCall & HookOutcome) => AfterCallAnswer | Promise<AfterCallAnswer>

export const callHooksConfig = {
  hooks: group('Functions of your own around every call; one that throws makes it fail', {
    before: callback<BeforeCallHook>()
      .optional()
      .describe('Asked before the input is checked: may change it, or answer in place of the call'),
    after: callback<AfterCallHook>().optional().describe('Asked when the outcome is known: may replace it and add headers'),
  }),
}
