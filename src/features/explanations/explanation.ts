/** One timeline for a request, a user or an IP address: what was rejected, what holds now, and which options decide. */
import type { App } from '../../core/app.ts'
import type { CallReport, Installation, OptionPlace } from '../../core/installation.ts'
import type { SignInStep } from '../../core/sign-in.ts'
import { timeOfRequest } from '../../lib/request-id.ts'
import { findUserByEmail, findUserById } from '../users/index.ts'
import { type CodeExplanation, explainCode } from './entry.ts'
import {
  type Finding,
  findingsOfAccount,
  findingsOfAddress,
  findingsOfSignUp,
  freezes,
  note,
  sentenceOf,
  stateOfUser,
} from './findings.ts'
import { type Refusal, refusalsOfAddress, refusalsOfRequest, refusalsOfUser } from './refusals.ts'
import { readSubject, type Subject } from './subject.ts'

/** What the daemon or a command knows in addition to the database. */
export interface Sources {
  readonly locate: Installation['locate']
  /** Null when no daemon knows. */
  readonly explainCalls: (address: string) => Promise<CallReport | null>
}

export interface Explanation {
  readonly subject: Subject
  /** The user whom it is about. */
  readonly userId: string | null
  readonly findings: readonly (Finding & { readonly message: string })[]
  /** Newest first. */
  readonly refusals: readonly Refusal[]
  /** False: there may be older ones in the audit log. */
  readonly isComplete: boolean
  /** Of the next sign-in of the user; empty for other subjects. */
  readonly signIn: readonly SignInStep[]
  /** Of the codes of the refusals and findings. */
  readonly codes: readonly CodeExplanation[]
  /** Where the options of the codes and findings are set. */
  readonly settings: readonly OptionPlace[]
}

type Found = Pick<Explanation, 'refusals' | 'isComplete'> & {
  readonly findings: readonly Finding[]
  readonly signIn?: readonly SignInStep[]
  readonly userId?: string
}

const nothing = { refusals: [], isComplete: true, findings: [] }

/**
 * @param given a request ID, an email or IP address, the ID of a user, or an error code
 * @param limit of refusals
 * @throws ApiError SEARCH_TOO_SLOW
 */
export async function explain(app: App, given: string, limit: number, sources: Sources): Promise<Explanation> {
  const code = explainSubjectCode(given, sources.locate)
  if (code) return code
  const subject = readSubject(given)
  const { findings, refusals, isComplete, signIn = [], userId = null } = await find(app, subject, limit, sources)
  const empty = subject.kind === 'request' || refusals.length > 0 ? [] : [note('no-refusals')]
  const explained = explainCodes([
    ...findings,
    ...refusals.map(({ code, setting }) => ({ code, settings: setting === null ? [] : [setting] })),
  ])
  const paths = [...new Set([...findings, ...explained].flatMap(({ settings }) => settings))]
  return {
    ...{ subject, userId, refusals, isComplete, signIn },
    findings: [...findings, ...empty].map((finding) => ({ ...finding, message: sentenceOf(finding) })),
    codes: explained,
    settings: sources.locate(paths),
  }
}

/** The codes of what was found; only with the options that decided, when all that has the code says which. */
function explainCodes(found: readonly Pick<Finding, 'code' | 'settings'>[]): CodeExplanation[] {
  return [...new Set(found.map(({ code }) => code))].flatMap((name) => {
    const entry = name === null ? null : explainCode(name, 'api')
    const own = found.filter(({ code }) => code === name).map(({ settings }) => settings)
    return entry ? [own.some((settings) => settings.length === 0) ? entry : { ...entry, settings: [...new Set(own.flat())] }] : []
  })
}

/** The explanation of an error code, which needs no database; null when the text is something else. */
export function explainSubjectCode(given: string, locate: Sources['locate']): Explanation | null {
  const subject = readSubject(given)
  if (subject.kind !== 'code') return null
  const codes = (['api', 'command'] as const).flatMap((of) => explainCode(subject.text, of) ?? [])
  const paths = [...new Set(codes.flatMap(({ settings }) => settings))]
  const findings = codes.length > 0 ? [] : [note('code-unknown')]
  return {
    ...{ subject, codes, userId: null, refusals: [], isComplete: true, signIn: [] },
    findings: findings.map((finding) => ({ ...finding, message: sentenceOf(finding) })),
    settings: locate(paths),
  }
}

async function find(app: App, { kind, text }: Subject, limit: number, sources: Sources): Promise<Found> {
  if (kind === 'ip') {
    const [report, found] = await Promise.all([sources.explainCalls(text), refusalsOfAddress(app, text, limit)])
    return { ...found, findings: findingsOfAddress(app, text, report) }
  }
  if (kind === 'email') return findUserState(app, text, limit)
  const request = await refusalsOfRequest(app, text, limit)
  if (request.refusals.length === 0) {
    // Both are random texts, and IDs of imported users may have any form.
    const user = await findUserById(app, text)
    if (user) return findUserState(app, user.email, limit)
  }
  return kind === 'user' && request.refusals.length === 0
    ? { ...nothing, findings: [note('user-not-found')] }
    : { ...request, findings: await findingsOfRequest(app, text, request.refusals.length > 0) }
}

async function findUserState(app: App, email: string, limit: number): Promise<Found> {
  const user = await findUserByEmail(app, email)
  if (!user) {
    const findings = [...(await findingsOfSignUp(app, email)), ...(await findingsOfAccount(app, email))]
    return { ...nothing, findings: [note('user-not-found'), ...findings] }
  }
  const [state, found] = await Promise.all([stateOfUser(app, user), refusalsOfUser(app, user.id, limit)])
  return { ...state, ...found, userId: user.id }
}

/**
 * An ID of another form, such as of an earlier version, may name a time that makes no sense. In read-only mode, calls are rejected without
 * an event.
 */
async function findingsOfRequest(app: App, id: string, isFound: boolean): Promise<Finding[]> {
  const { config, now } = app
  const at = timeOfRequest(id)
  const age = at ? now().getTime() - at.getTime() : Number.NaN
  const isPlausible = age > -60_000 && age < config.audit.retention * 1000
  return [
    ...(at && isPlausible ? [note('request-time', { time: at.toISOString() })] : []),
    ...(isFound ? [] : [note('nothing-recorded'), ...(await freezes(app))]),
  ]
}
