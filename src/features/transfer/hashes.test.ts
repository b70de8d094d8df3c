/** Every vector of tests/moving/fixtures/hashes.json: real-shaped hashes of other systems, with invented passwords. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { fusionAuthHash, keycloakHash } from '../move/readers/hash-texts.ts'
import { importUsers } from './index.ts'

interface Vector {
  readonly system: string
  readonly form: string
  readonly password: string | null
  readonly hash: string | null
  readonly salt?: string
  readonly secretData?: string
  readonly credentialData?: string
  readonly parameters?: Readonly<Record<string, string | number>>
}

const file = new URL('../../../tests/moving/fixtures/hashes.json', import.meta.url)
const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'))
const firebase = vectors.find(({ system }) => system === 'Firebase')?.parameters
const passwordHash = {
  ...{ memory: 8192, iterations: 1 },
  peppers: { old: 'pepper-of-the-old-app' },
  firebase: { main: String(firebase?.base64_signer_key) },
}

/** The text of a line, as the readers of the systems write it. */
function textOf({ system, form, hash, salt, parameters, secretData, credentialData }: Vector): string {
  if (system === 'Firebase') {
    const { mem_cost: n, rounds: r, base64_salt_separator: separator } = parameters ?? {}
    return `$fbscrypt$v=1,n=${n},r=${r},p=1,ss=${separator},k=main$${salt}$${hash}`
  }
  if (parameters?.pepper) return `$latchkey-bcrypt$pre=pepper:old${hash}`
  if (secretData && credentialData) return keycloakHash({ secretData, credentialData }) ?? ''
  if (form.startsWith('salted-pbkdf2'))
    return (
      fusionAuthHash({ encryptionScheme: form, factor: Number(parameters?.factor), salt: salt ?? '', password: hash ?? '' }) ?? ''
    )
  return hash ?? ''
}

test.each(vectors.filter(({ password }) => password !== null))(
  '$system, $form: the right password signs in, a wrong one does not, and the hash is replaced',
  async (vector) => {
    const { app, browser } = await testApp({ passwordHash })
    const email = 'ann@example.com'
    const text = JSON.stringify({ user: { email }, accounts: [{ providerId: 'credential', password: textOf(vector) }] })
    const run = importUsers(app, { dryRun: false, weak: 'wrap' })
    expect(await run([{ number: 1, text }])).toMatchObject([{ outcome: 'created' }])
    const signIn = (password: string) => browser().call('POST /sign-in/email', { body: { email, password } })
    expect([(await signIn('another password')).status, (await signIn(vector.password ?? '')).status]).toEqual([401, 200])
    const { password } = await app.db.selectFrom('account').select('password').executeTakeFirstOrThrow()
    expect(password).toMatch(/^\$argon2id\$v=19\$m=8192,t=1,p=1\$/)
    expect(await run([{ number: 1, text }])).toMatchObject([{ outcome: 'unchanged' }])
  },
)

test('all vectors have a password but the mark of Django', () => {
  expect([vectors.length, vectors.filter(({ password }) => password === null).map(({ form }) => form)]).toEqual([
    44,
    ['unusable'],
  ])
})

test('a hash whose secret is not configured is invalid, and names the option', async () => {
  const { app } = await testApp()
  const texts = vectors.filter(({ form, parameters }) => /firebase|fbscrypt|pepper/i.test(form) || parameters?.pepper).map(textOf)
  const lines = texts.map((password, number) => ({
    number,
    text: JSON.stringify({ user: { email: `ann${number}@example.com` }, accounts: [{ providerId: 'credential', password }] }),
  }))
  const outcomes = await importUsers(app, { dryRun: false })(lines)
  expect(outcomes.map(({ message }) => /passwordHash\.[\w.]+$/.exec(message ?? '')?.[0])).toEqual([
    'passwordHash.peppers.old',
    'passwordHash.firebase.main',
    'passwordHash.firebase',
  ])
})
