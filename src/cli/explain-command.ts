/** `latchkey explain`: why something was rejected, and which option decides. */
import type { OptionPlace } from '../core/installation.ts'
import type { Explanation, Sources } from '../features/explanations/index.ts'
import { argument, type Context, command, option, wholeNumber } from './command.ts'
import type { Output } from './output.ts'

const tables = [
  ...(['auditEvent', 'user', 'account', 'attempt', 'rateLimit', 'mailCount'] as const),
  ...(['twoFactor', 'backupCode', 'trustedDevice', 'passkey'] as const),
] as const

export const explain = command('explain', 'Explain why something was rejected', {
  description:
    'Takes a request ID, an email or IP address, the ID of a user, or an error code. Prints what was rejected, when and with which code; what blocks calls now, such as limits, lockouts and bans; and the options that decide, with the file and line in which they are set. Reads the database, so it also works while the daemon is stopped; rate limits that are counted in memory are read from the running daemon of this project. Never prints secrets.',
  examples: [
    'latchkey explain ann@example.com',
    'latchkey explain 192.0.2.1 --json',
    'latchkey explain BpwZ1Rk3mT8sQx0LhV2e',
    'latchkey explain INVALID_ORIGIN',
  ],
  arguments: {
    subject: argument('<subject>', 'Request ID, email or IP address, ID of a user, or error code', (z) =>
      z.string().trim().min(1).max(320, 'is too long'),
    ),
  },
  options: {
    limit: option('--limit <n>', 'Maximum number of refusals [20]', (z) => wholeNumber(z, 1, 100).default(20)),
  },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { subject, limit } = context.options
    const { explain: explainSubject, explainSubjectCode } = await import('../features/explanations/index.ts')
    const found =
      explainSubjectCode(subject, await locator(context)) ?? (await explainIn(context, subject, limit, explainSubject))
    context.output.result('explain/v1', { ...found }, await describe(found, context.output))
  },
})

type Explain = typeof import('../features/explanations/index.ts').explain

async function explainIn(context: Context, subject: string, limit: number, explainSubject: Explain): Promise<Explanation> {
  const { explainCalls } = await import('./limits/call-limits.ts')
  const { app, loaded } = await context.openReadyApp({ mode: 'read', tables })
  return explainSubject(app, subject, limit, {
    locate: await locator(context),
    explainCalls: (address) => explainCalls(app, loaded.directory, { address, path: null }),
  })
}

/** A code can be explained although the configuration cannot be loaded: it may be the code of that failure. */
async function locator({ loadConfig }: Context): Promise<Sources['locate']> {
  const { featureList } = await import('../features/index.ts')
  const { configShape } = await import('../project/config/parse-config.ts')
  const { locateOptions, readSources } = await import('../project/option-place.ts')
  const loaded = await loadConfig().catch(() => null)
  if (!loaded) return () => []
  return (paths) => locateOptions(configShape(featureList), loaded, readSources(loaded.file, loaded.directory), paths)
}

const kinds: Readonly<Record<Explanation['subject']['kind'], string>> = {
  request: 'request',
  email: 'email address',
  ip: 'IP address',
  user: 'user ID',
  code: 'code',
}

async function describe(found: Explanation, { paint, hang }: Output): Promise<string[]> {
  const { printable } = await import('../lib/redact.ts')
  const { subject, userId, findings, refusals, isComplete, codes } = found
  const title = `${paint.bold(printable(subject.text))} (${kinds[subject.kind]}${userId === null ? '' : `; user ${printable(userId)}`})`
  const states = findings.map(({ state, message }) =>
    hang(`  ${state === 'blocks' ? paint.red('blocked') : paint.dim('note   ')}  `, printable(message)),
  )
  const events = refusals.map(({ at, code, action, route, reason, count, requestId, ipAddress }) => {
    const parts = [code ?? action, route, reason && `(${reason})`, count > 1 && `${count} times`, ipAddress, requestId]
    return `  ${paint.dim(at.toISOString())}  ${printable(parts.filter(Boolean).join('  '))}`
  })
  const more = subject.kind === 'ip' ? `--ip ${subject.text}` : `--user ${userId ?? subject.text}`
  return [
    title,
    ...states,
    ...(events.length > 0 ? ['', 'Rejected, newest first', ...events] : []),
    ...(isComplete ? [] : [paint.dim(`  There may be older ones: latchkey audit list ${printable(more)}`)]),
    ...codes.flatMap((code) => ['', ...describeCode(code, found, { paint, hang })]),
    ...describeOthers(found, paint),
  ]
}

type Layout = Pick<Output, 'paint' | 'hang'>

function describeCode(code: Explanation['codes'][number], { settings }: Explanation, { paint, hang }: Layout): string[] {
  const places = settings.filter(({ path }) => code.settings.includes(path))
  return [
    `${paint.bold(code.code)}${code.of === 'command' ? ' (of commands)' : ''}`,
    hang('  Meaning  ', code.meaning),
    hang('  Fix      ', code.fix),
    ...places.map((place) => `  ${describePlace(place)}`),
  ]
}

/** Options of findings that no code has. */
function describeOthers({ codes, settings }: Explanation, paint: Layout['paint']): string[] {
  const named = codes.flatMap((code) => code.settings)
  const others = settings.filter(({ path }) => !named.includes(path))
  return others.length > 0 ? ['', paint.bold('Options'), ...others.map((place) => `  ${describePlace(place)}`)] : []
}

function describePlace({ path, value, origin, file, line }: OptionPlace): string {
  const text = value === null ? '' : ` = ${JSON.stringify(value)}`
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text
  const place = file === null ? '' : line === null ? file : `${file}:${line}`
  const from = origin === 'file' ? place : [origin, place].filter(Boolean).join(', ')
  return `${path}${shown}  (${from})`
}
