/** Work inside a transaction that is undone alone. */
import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { App } from './app.ts'
import { ApiError, errors } from './errors.ts'
import { afterCommit, transaction, undoneAlone } from './transaction.ts'

const add = (tx: App, key: string) => tx.db.insertInto('usedChallenge').values({ id: key, key, expiresAt: tx.now() }).execute()
const reject = async (tx: App, done: string[]) => {
  await add(tx, 'rejected')
  await afterCommit(tx, async () => void done.push('rejected'))
  throw new ApiError(errors.UNAUTHORIZED)
}

test('work that is rejected inside a transaction is undone alone, with what waits for the commit', async () => {
  const { app } = await testApp({ passkey: true })
  const done: string[] = []
  await transaction(app, async (tx) => {
    await add(tx, 'before')
    await undoneAlone(tx, (inner) => reject(inner, done)).catch(() => {})
    await undoneAlone(tx, async (inner) => {
      await add(inner, 'kept')
      await afterCommit(inner, async () => void done.push('kept'))
    })
  })
  const rows = await app.db.selectFrom('usedChallenge').select('key').orderBy('key').execute()
  expect([rows.map(({ key }) => key), done]).toEqual([['before', 'kept'], ['kept']])
})

test('outside a transaction it is one', async () => {
  const { app } = await testApp({ passkey: true })
  await expect(undoneAlone(app, (tx) => reject(tx, []))).rejects.toBeInstanceOf(ApiError)
  expect(await app.db.selectFrom('usedChallenge').select('key').execute()).toEqual([])
})
