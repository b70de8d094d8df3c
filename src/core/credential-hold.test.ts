/** The check of the credential of a call, when the call itself ends the credential. */
import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { type App, extend } from './app.ts'
import { type CredentialHold, endCredentials } from './credential-hold.ts'
import { keepOrUndo, transaction } from './transaction.ts'

/** An app whose call was authenticated by a credential that was revoked since. */
async function withRevoked(): Promise<App> {
  const { app } = await testApp()
  const lock = async () => false
  const ids = { credentialId: 'session', userId: 'user' }
  const credentialHold: CredentialHold = { ...ids, lock, isOver: false, endedIn: null, recheck: null, recheckedIn: null }
  return extend(app, { credentialHold })
}
const end = async (tx: App) => endCredentials(tx, ['session'])

test('a credential that the transaction ends is not checked', async () => {
  const app = await withRevoked()
  await transaction(app, (tx) => keepOrUndo(tx, true, end))
  await transaction(app, async () => undefined)
})

test('an end that is undone does not spare the check', async () => {
  const app = await withRevoked()
  await expect(transaction(app, (tx) => keepOrUndo(tx, false, end))).rejects.toMatchObject({ entry: { code: 'UNAUTHORIZED' } })
  await expect(transaction(app, async () => undefined)).rejects.toMatchObject({ entry: { code: 'UNAUTHORIZED' } })
})

test('an end before the part that is undone still counts', async () => {
  const app = await withRevoked()
  await transaction(app, async (tx) => {
    await end(tx)
    await keepOrUndo(tx, false, end)
  })
})
