import type { BaseContext } from '../command.ts'
import { command } from '../command.ts'
import { seconds, waitForDatabaseOption } from '../inputs.ts'

export const userArgument = { syntax: '<user>', description: 'Id or e-mail address' }

export const show = command({
  name: 'show',
  summary: 'Show a user and the ways in which he signs in',
  examples: ['latchkey users show ann@example.com', 'latchkey users show ann@example.com --json'],
  arguments: [userArgument],
  options: [waitForDatabaseOption],
  exitCodes: [6, 8],
  deadline: 60,
  input: (z) => z.object({ user: z.string().min(1), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options, output } = context
    const [{ openReadyApp, getUser }, { describeUserRecord }, { listAccounts }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/users/index.ts'),
      import('../../features/accounts/index.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    const row = await getUser(app, options.user)
    const user = describeUserRecord(app, row)
    const accounts = (await listAccounts(app, row.id)).map(({ providerId, accountId, password, createdAt, updatedAt }) => ({
      providerId,
      accountId,
      hasPassword: password !== null,
      createdAt,
      updatedAt,
    }))
    output.result('users-show/v1', { user, accounts }, await describe(user, accounts, output))
  },
})

interface Account {
  readonly providerId: string
  readonly accountId: string
}

async function describe(user: object, accounts: readonly Account[], { paint }: BaseContext['output']): Promise<string[]> {
  const { printable } = await import('../../lib/printable.ts')
  const rows: [string, string][] = Object.entries(user).map(([name, value]) => [name, textOf(value)])
  for (const { providerId, accountId } of accounts) rows.push(['signs in by', `${providerId} ${accountId}`])
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `${paint.dim(name.padEnd(width))}  ${printable(text)}`)
}

function textOf(value: unknown): string {
  if (value === null) return '-'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
