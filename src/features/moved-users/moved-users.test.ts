import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { ConfigFile } from '../index.ts'
import { importUsers } from '../transfer/index.ts'

const mailed: ConfigFile = { mail: { from: 'a@example.com', catch: true } }

async function moved(config: ConfigFile) {
  const kit = await testApp({ ...mailed, ...config })
  const lines = [{ user: { email: 'kim@example.com' }, setUpAtSignIn: true }, { user: { email: 'ann@example.com' } }]
  await importUsers(kit.app, { dryRun: false })(lines.map((line, number) => ({ number, text: JSON.stringify(line) })))
  const signIn = async (email: string) => {
    const { status, body } = await kit.browser().call('POST /sign-in/email', { body: { email, password: 'not a password' } })
    await kit.settled()
    return [status, body]
  }
  const mails = () => kit.app.db.selectFrom('caughtMail').select(['kind', 'recipient', 'text']).execute()
  return { ...kit, signIn, mails }
}

test('a failed sign-in of a user who was moved without a password sends one setup link a day, which sets a password', async () => {
  const { signIn, mails, browser } = await moved({ move: { sendSetupLinkOnSignIn: true } })
  const responses = [await signIn('kim@example.com'), await signIn('ann@example.com'), await signIn('unknown@example.com')]
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
  await signIn('kim@example.com')
  const sent = await mails()
  expect(sent.map(({ kind, recipient }) => [kind, recipient])).toEqual([['set-up-link', 'kim@example.com']])
  const link = /\/link\/([\w-]+)/.exec(sent[0]?.text ?? '')?.[1] ?? ''
  const opened = await browser().call('GET /link/:token', { params: { token: link } })
  const token = /token=([\w-]+)/.exec(opened.headers.get('location') ?? '')?.[1] ?? ''
  const newPassword = 'a perfectly fine passphrase'
  expect((await browser().call('POST /set-up', { body: { token, newPassword } })).status).toBe(200)
  const signedIn = await browser().call('POST /sign-in/email', { body: { email: 'kim@example.com', password: newPassword } })
  expect(signedIn.status).toBe(200)
})

test('sends nothing by default', async () => {
  const { signIn, mails } = await moved({})
  await signIn('kim@example.com')
  expect(await mails()).toEqual([])
})
