/** The rules of the configuration about who may sign up, with the lists of its files: read once per configuration. */
import type { ConfigIssue } from '../../core/config.ts'
import type { SignUpAttempt, SignUpRejection } from '../../core/sign-up.ts'
import { readBoundedText } from '../../lib/bounded-file.ts'
import type { Config } from '../index.ts'
import {
  type AddressList,
  type ComparableAddress,
  comparableAddress,
  compileList,
  findEntry,
  findMailboxEntry,
  type ListEntry,
  readPattern,
} from './address-list.ts'
import { disposableDomains } from './disposable-domains.ts'

interface Rules {
  /** Null: no list, so that every address is allowed. */
  readonly allow: AddressList | null
  readonly block: AddressList | null
  readonly issues: readonly ConfigIssue[]
}

const mostBytes = 16 * 1024 * 1024
const shownIssues = 10

/** By configuration, so that `latchkey reload`, which loads it again, also reads the files again. */
const known = new WeakMap<Config, Rules>()

export function readRules(config: Config): Rules {
  const before = known.get(config)
  if (before) return before
  const [allow, block] = [readList(config, 'allow'), readList(config, 'block')]
  const rules = { allow: allow.list, block: block.list, issues: [...allow.issues, ...block.issues] }
  known.set(config, rules)
  return rules
}

const hint = 'Write ann@acme.example, *@acme.example, *.acme.example for subdomains, or * for every address in `allow`.'
const isUsable = (entry: string, name: 'allow' | 'block') => readPattern(entry) !== null && !(name === 'block' && entry === '*')

function readList({ signUp }: Config, name: 'allow' | 'block') {
  const path = `signUp.${name}`
  const given = signUp[name].map((entry): ListEntry => ({ entry, setting: path }))
  const issues = given.flatMap(({ entry }, at): ConfigIssue[] =>
    isUsable(entry, name)
      ? []
      : [{ id: 'sign-up-entry', path: `${path}.${at}`, message: `"${entry.slice(0, 80)}" is not an entry of this list.`, hint }],
  )
  const file = signUp[`${name}File`]
  const read = file === undefined ? { entries: [], issues: [] } : readFile(file, name)
  const entries = [...given, ...read.entries]
  const isGiven = file !== undefined || entries.length > 0
  return { list: isGiven ? compileList(entries) : null, issues: [...issues, ...read.issues] }
}

function readFile(file: string, name: 'allow' | 'block'): { readonly entries: ListEntry[]; readonly issues: ConfigIssue[] } {
  const setting = `signUp.${name}File`
  const issue = (message: string, advice: string): ConfigIssue => ({ id: 'sign-up-file', path: setting, message, hint: advice })
  const read = readBoundedText(file, mostBytes)
  if ('problem' in read) {
    const advice = 'Name a file with one entry a line; relative paths start at the folder of the project.'
    return { entries: [], issues: [issue(`Cannot use ${file}: ${read.problem}.`, advice)] }
  }
  const lines = read.text.split(/\r?\n/).map((text, at) => ({ entry: text.replace(/(^|\s)#.*$/, '').trim(), line: at + 1 }))
  const entries = lines.filter(({ entry }) => entry !== '').map((one): ListEntry => ({ ...one, setting, file }))
  const wrong = entries.filter(({ entry }) => !isUsable(entry, name))
  const shown = wrong
    .slice(0, shownIssues)
    .map(({ entry, line }) => issue(`${file}:${line}: "${entry.slice(0, 80)}" is not an entry.`, hint))
  const more = wrong.length - shown.length
  return { entries, issues: more > 0 ? [...shown, issue(`${file}: ${more} more lines are not entries.`, hint)] : shown }
}

const rejection = (rejected: string, { entry, setting, file, line }: ListEntry): SignUpRejection => ({
  ...{ rejected, setting, entry },
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
})

/** Whether anything of this configuration can reject a sign-up. */
export const hasRules = ({ signUp: { mode, disposable, allow, allowFile, block, blockFile } }: Config): boolean =>
  mode !== 'open' ||
  disposable === 'block' ||
  allow.length > 0 ||
  block.length > 0 ||
  allowFile !== undefined ||
  blockFile !== undefined

/** Why users cannot sign up by themselves; absent: they can. */
const modeReasons: Partial<Record<Config['signUp']['mode'], string>> = {
  closed: 'closed',
  invite: 'not-invited',
  'waiting-list': 'not-approved',
}

/** The lists first, which are for every user, then the mode, which is for those who sign up by themselves. */
export function findRejection(config: Config, attempt: SignUpAttempt): SignUpRejection | null {
  const { source = 'self', email, userId } = attempt
  const listed = findListed(config, comparableAddress(email))
  const reason = source === 'self' && userId === undefined ? modeReasons[config.signUp.mode] : undefined
  return listed ?? (reason === undefined ? null : { rejected: reason, setting: 'signUp.mode' })
}

function findListed(config: Config, address: ComparableAddress): SignUpRejection | null {
  const { allow, block } = readRules(config)
  const blocked = block && (findEntry(block, address) ?? findMailboxEntry(block, address))
  if (blocked) return { ...rejection(`${blockedKind(blocked)}-blocked`, blocked), isFirm: true }
  if (allow && findEntry(allow, address)) return null
  if (allow && !allow.all)
    return { rejected: 'not-listed', setting: config.signUp.allow.length > 0 ? 'signUp.allow' : 'signUp.allowFile' }
  const isDisposable = config.signUp.disposable === 'block' && address.domains.some((one) => disposableDomains().domains.has(one))
  return isDisposable ? { rejected: 'disposable-domain', setting: 'signUp.disposable' } : null
}

const blockedKind = ({ entry }: ListEntry): 'address' | 'domain' =>
  readPattern(entry)?.kind === 'address' ? 'address' : 'domain'
