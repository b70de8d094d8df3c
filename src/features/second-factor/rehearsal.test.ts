/** The rehearsal of backup codes: a user finds out while signed in that the codes are lost (contract 11 §12). */
import { expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { outcome } from '../../../tests/kit/members.ts'
import { signInAs, withAnn } from '../../../tests/kit/second-factor.ts'

const rehearse = (browser: Browser, code: string) => browser.call('POST /two-factor/rehearse-backup-code', { body: { code } })
const day = 86_400

const status = async (browser: Browser) => (await browser.call('GET /two-factor/status', {})).body

test('replaces the code, whose replacement works, and proves nothing for the session', async () => {
  const { ann, browser, backupCodes, clock, app } = await withAnn()
  const code = backupCodes[0] ?? ''
  clock.advance(901)
  const answer = await rehearse(ann, code.replace('-', ' '))
  expect(answer).toMatchObject({ status: 200, body: { status: true, replacement: expect.stringMatching(/^\w{5}-\w{5}$/) } })
  expect(answer.setCookie).toEqual([])
  expect(
    (await ann.call('POST /two-factor/generate-backup-codes', { body: { password: 'correct horse battery' } })).body.code,
  ).toBe('SESSION_IS_NOT_FRESH')
  expect((await status(ann)).backupCodesLeft).toBe(10)
  const visitor = browser()
  await signInAs(visitor, 'Ann')
  const use = (given: string) => visitor.call('POST /two-factor/verify-backup-code', { body: { code: given } })
  expect(outcome(await use(code))).toBe('401 INVALID_BACKUP_CODE')
  expect(outcome(await use(answer.body.replacement))).toBe('200')
  const events = await app.db.selectFrom('auditEvent').select('action').execute()
  expect(events.filter(({ action }) => action === 'two-factor.backup-code-rehearsed')).toHaveLength(1)
})

test('rejects a wrong and a used code, and a user without codes', async () => {
  const { ann, backupCodes, app } = await withAnn()
  expect(outcome(await rehearse(ann, 'aaaaa-aaaaa'))).toBe('401 INVALID_BACKUP_CODE')
  const code = backupCodes[1] ?? ''
  await ann.call('POST /two-factor/verify-backup-code', { body: { code } })
  expect(outcome(await rehearse(ann, code))).toBe('401 INVALID_BACKUP_CODE')
  await app.db.deleteFrom('backupCode').execute()
  expect(outcome(await rehearse(ann, code))).toBe('400 BACKUP_CODES_ARENT_ENABLED')
})

test('is due half a year after a code was made, used or rehearsed', async () => {
  const { ann, backupCodes, clock, app } = await withAnn()
  const made = clock.now().getTime() - 30_000
  const due = async () => Date.parse(String((await status(ann)).rehearsalAt))
  expect(await due()).toBe(made + 182 * day * 1000)
  clock.advance(2 * day)
  await rehearse(ann, backupCodes[0] ?? '')
  expect(await due()).toBe(clock.now().getTime() + 182 * day * 1000)
  clock.advance(2 * day)
  await ann.call('POST /two-factor/verify-backup-code', { body: { code: backupCodes[1] ?? '' } })
  expect(await due()).toBe(clock.now().getTime() + 182 * day * 1000)
  await app.db.updateTable('backupCode').set({ usedAt: clock.now() }).execute()
  expect((await status(ann)).rehearsalAt).toBeNull()
})
