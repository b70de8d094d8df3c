/** What the code in the documents uses without declaring it: the parts of a reader's application. */
import { createAuthClient } from 'better-auth/client'
import { organizationClient } from 'better-auth/client/plugins'
import type { Format as DashboardFormat } from '../../dashboard/src/i18n/format.ts'

const client = createAuthClient({ plugins: [organizationClient()] })

interface Plan {
  readonly name: string
}

declare global {
  type Format = DashboardFormat
  const authClient: typeof client
  const email: string
  const password: string
  const key: string
  const token: string
  const nonce: string
  const invitationId: string
  function isAllowed(email: string): boolean
  function isInvited(body: unknown): boolean
  function findInvitation(context: string | null): Promise<{ readonly id: string; readonly name: string } | null>
  function moveCart(from: string, to: string): Promise<void>
  function planOf(userId: string): Promise<Plan>
  function report(error: unknown, request: { method: string; path: string; requestId: string }): void
  function show(text: string): void
  function showRoleMenu(): void
  /** A rune of Svelte. */
  function $state<T>(value: T): T
  const crm: { add(userId: string): Promise<void> }
  const vault: { hash(password: string): Promise<string>; verify(hash: string, password: string): Promise<boolean> }
}
