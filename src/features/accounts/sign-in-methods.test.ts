/** A sign-in method is a feature of its own: planted here, it takes part everywhere with no change of another feature. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { plantedChallenge } from '../../../tests/kit/planted/challenge.ts'
import * as magicLink from '../../../tests/kit/planted/magic-link.ts'
import type { Feature } from '../../core/feature.ts'
import { featureList } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** Ann, signed up with a password, whose email address is verified. */
async function withAnn(more: Readonly<Record<string, Feature>> = { magicLink }) {
  const mails = captureMails<{ text: string }>()
  const config = { mail: { send: mails.send, from: 'acme@example.com' }, phoneNumber: true, sms: { send: () => {} } }
  const kit = await testApp(config, { features: { ...featureList, ...more } })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const update = (columns: object) => kit.app.db.updateTable('user').set(columns).execute()
  await update({ emailVerified: true })
  /** @returns the path of the link that is sent */
  const requestLink = async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email: ann.email, callbackURL: '/dashboard' })
    expect((await kit.browser().request('/sign-in/magic-link', { method: 'POST', headers, body })).status).toBe(200)
    const { text } = await mails.next()
    return /\/magic-link\/verify\?\S+/.exec(text)?.[0] ?? expect.fail(text)
  }
  return { ...kit, visitor, update, requestLink }
}

describe('a planted sign-in method', () => {
  test('signs in by the pipeline: the session, its event in the audit log, and the redirect', async () => {
    const { app, browser, requestLink } = await withAnn()
    const guest = browser()
    const path = await requestLink()
    const response = await guest.request(path)
    expect([response.status, response.headers.get('location'), await nameOf(guest)]).toEqual([302, '/dashboard', 'Ann'])
    const events = app.db.selectFrom('auditEvent').select('details').where('action', '=', 'user.signed-in')
    expect(JSON.stringify(await events.execute())).toContain('magic-link')
    expect((await browser().request(path)).status).toBe(400)
  })

  test('is challenged by features that know nothing of it', async () => {
    const demand = { isOn: false }
    const planted = plantedChallenge(() => demand.isOn)
    const { browser, requestLink } = await withAnn({ planted, magicLink })
    demand.isOn = true
    const guest = browser()
    const response = await guest.request(await requestLink())
    expect([response.headers.get('location'), await nameOf(guest)]).toEqual(['/code?callbackURL=/dashboard', null])
  })

  test('is announced to pages', async () => {
    const methods = async (features: Record<string, Feature>) =>
      (await (await withAnn(features)).browser().call('GET /public-settings', {})).body.signIn.methods
    expect(await methods({})).toEqual(['password', 'phone-number'])
    expect(await methods({ magicLink })).toEqual(['password', 'phone-number', 'magic-link'])
  })

  const unlink = async (features: Record<string, Feature>, emailVerified = true) => {
    const { visitor, update } = await withAnn(features)
    await update({ emailVerified })
    const { status, body } = await visitor.call('POST /unlink-account', { body: { providerId: 'credential' } })
    return [status, body.code]
  }

  test('lets a user who has it unlink their last account', async () => {
    expect(await unlink({ magicLink })).toEqual([200, undefined])
    expect(await unlink({ magicLink }, false)).toEqual([400, 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT'])
    expect(await unlink({})).toEqual([400, 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT'])
  })

  test.each(['/unlink-account', '/remove-password'] as const)('%s counts a verified phone number', async (path) => {
    const { visitor, update } = await withAnn({})
    const remove = async (phoneNumberVerified: boolean) => {
      await update({ phoneNumber: '+491701234567', phoneNumberVerified })
      const { status, body } = await visitor.call(`POST ${path}`, { body: { providerId: 'credential' } } as never)
      return [status, body.code]
    }
    expect(await remove(false)).toEqual([400, 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT'])
    expect(await remove(true)).toEqual([200, undefined])
    // Now the number is the last method.
    const { body } = await visitor.call('POST /update-user', { body: { phoneNumber: null } as never })
    expect(body.code).toBe('PHONE_NUMBER_CANNOT_BE_UPDATED')
  })

  test.each([
    ['lets a user without an account remove their phone number', { magicLink }, 200],
    ['is missed by a user without an account who has only a phone number', {}, 400],
  ])('%s', async (_, features, expected) => {
    const { app, visitor, update } = await withAnn(features)
    await update({ phoneNumber: '+491701234567', phoneNumberVerified: true })
    await app.db.deleteFrom('account').execute()
    const { status } = await visitor.call('POST /update-user', { body: { phoneNumber: null } as never })
    expect(status).toBe(expected)
  })
})
