/** Passkeys of hosted pages: a form sends what an authenticator has signed. The code for it is loaded with the form. */
import type { PasskeyProblem } from '../browser/passkey-problems.ts'
import type { Accepted } from '../browser/passkeys.ts'

declare global {
  interface HTMLFormElement {
    passkey?: {
      /** @returns false when there is nothing to send */
      readonly sign: () => Promise<boolean>
      /** After the response, and before the next page. @param hasLeft whether the passkey was accepted */
      readonly settle: (hasLeft: boolean) => Promise<void>
    }
  }
}

const load = () => import('../browser/passkeys.ts')

/** The options of the API work for five minutes, and a user may look at a page for longer. */
const renewAfterMs = 240_000

/** The next page does not wait longer for the report to password managers, in milliseconds. */
const reportWithinMs = 1500

/** The last one that was sent. */
let used: { readonly options: object; readonly signed: object } | null = null

/** Shows the form of a passkey, and offers passkeys at the field for the email address. */
export function startPasskey(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('input[data-passkey]')
  const place = form.closest<HTMLElement>('[data-passkey-place]')
  if (!field || !place || !('PublicKeyCredential' in window)) return
  place.hidden = false
  document.querySelector('[data-passkey-missing]')?.remove()
  const offer =
    field.dataset.passkey === 'offered' ? () => void offerPasskeys(form, field).catch(() => undefined) : () => undefined
  form.passkey = {
    sign: async () => {
      // Chosen at the field for the email address.
      if (field.value !== '') return true
      const problem = await sign(field).catch((error: unknown) => {
        offer()
        throw error
      })
      showProblem(place, problem)
      // The button that was pressed is hidden.
      if (problem === 'wrongDomain') place.querySelector('a')?.focus()
      // The request of the button has ended that of the field.
      if (problem) offer()
      return problem === null
    },
    settle: async (hasLeft) => {
      field.value = ''
      if (hasLeft)
        await Promise.race([report(field).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, reportWithinMs))])
    },
  }
  void canUsePasskeys(place.querySelector<HTMLElement>('[data-domain]')?.dataset.domain ?? '').then((isPossible) => {
    if (!isPossible) showProblem(place, 'wrongDomain')
    // Before a password manager can offer it once more.
    else void reportUnknown(form).then(offer, offer)
  })
}

/** Pages on other domains need Related Origin Requests (WebAuthn Level 3 §5.11). */
async function canUsePasskeys(domain: string): Promise<boolean> {
  const { hostname } = location
  if (hostname === domain || hostname.endsWith(`.${domain}`)) return true
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => null)
  return capabilities?.relatedOrigins === true
}

async function sign(field: HTMLInputElement): Promise<PasskeyProblem | null> {
  const { createPasskey, signWithPasskey } = await load()
  const options = await readOptions(field)
  const signed = await (field.dataset.passkey === 'new' ? createPasskey(options) : signWithPasskey(options))
  if (typeof signed === 'string') return signed
  keep(field, options, signed)
  return null
}

function keep(field: HTMLInputElement, options: object, signed: object): void {
  used = { options, signed }
  field.value = JSON.stringify(signed)
}

/** @throws Error without a connection, or when the API rejects the request */
async function read(path: string): Promise<object> {
  const response = await fetch(path)
  if (!response.ok) throw new Error('There is no response')
  return response.json()
}

const readOptions = ({ dataset }: HTMLInputElement) => read(dataset.options ?? '')

/** After a sign-in. */
async function report({ dataset }: HTMLInputElement): Promise<void> {
  const { reportAccount } = await load()
  await reportAccount(() => read(dataset.signal ?? '') as Promise<Accepted>)
}

/** The page has come back because the API does not know the passkey. */
async function reportUnknown(form: HTMLFormElement): Promise<void> {
  if (used && form.querySelector('[data-failure=PASSKEY_NOT_FOUND]'))
    await (await load()).reportUnknown(used.options, used.signed)
  used = null
}

async function offerPasskeys(form: HTMLFormElement, field: HTMLInputElement): Promise<void> {
  const { canOffer, endRequest, signWithPasskey } = await load()
  let isDue = await canOffer()
  while (isDue && form.isConnected) {
    isDue = false
    const timer = setTimeout(() => {
      isDue = true
      endRequest()
    }, renewAfterMs)
    const options = await readOptions(field)
    const signed = await signWithPasskey(options, true)
    clearTimeout(timer)
    if (typeof signed === 'string' || !form.isConnected) continue
    keep(field, options, signed)
    form.requestSubmit(form.querySelector<HTMLElement>('[type=submit]'))
  }
}

function showProblem(place: HTMLElement, problem: PasskeyProblem | null): void {
  for (const note of place.querySelectorAll<HTMLElement>('[data-problem]')) note.hidden = note.dataset.problem !== problem
  for (const form of place.querySelectorAll('form')) form.hidden = problem === 'wrongDomain'
}
