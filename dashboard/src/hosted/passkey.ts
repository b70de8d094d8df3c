/** Passkeys of hosted pages: a form sends what an authenticator has signed. The code for it is loaded with the form. */
import type { PasskeyProblem } from '../browser/passkey-problems.ts'

declare global {
  interface HTMLFormElement {
    /** @returns false when there is nothing to send */
    passkey?: { readonly sign: () => Promise<boolean> }
  }
}

const load = () => import('../browser/passkeys.ts')

/** The options of the API work for five minutes, and a user may look at a page for longer. */
const renewAfterMs = 240_000

/** Shows the form of a passkey, and offers passkeys at the field for the email address. */
export function startPasskey(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('input[data-passkey]')
  const place = form.closest<HTMLElement>('[data-passkey-place]')
  if (!field || !place || !('PublicKeyCredential' in window)) return
  place.hidden = false
  document.querySelector('[data-passkey-missing]')?.remove()
  const isOffered = field.dataset.passkey === 'offered'
  const offer = (): void => void offerPasskeys(form, field).catch(() => undefined)
  form.passkey = {
    sign: async () => {
      // Chosen at the field for the email address.
      if (field.value !== '') return true
      const { createPasskey, signWithPasskey } = await load()
      const ask = field.dataset.passkey === 'new' ? createPasskey : signWithPasskey
      const signed = await ask(await readOptions(field))
      showProblem(place, typeof signed === 'string' ? signed : null)
      if (typeof signed !== 'string') field.value = JSON.stringify(signed)
      else if (isOffered) offer()
      return typeof signed !== 'string'
    },
  }
  if (isOffered) offer()
}

/** @throws Error without a connection, or when the API rejects the request */
async function readOptions({ dataset }: HTMLInputElement): Promise<object> {
  const response = await fetch(dataset.options ?? '')
  if (!response.ok) throw new Error('There are no options')
  return response.json()
}

async function offerPasskeys(form: HTMLFormElement, field: HTMLInputElement): Promise<void> {
  const { canOffer, endRequest, signWithPasskey } = await load()
  let isDue = await canOffer()
  while (isDue) {
    isDue = false
    const timer = setTimeout(() => {
      isDue = true
      endRequest()
    }, renewAfterMs)
    const signed = await signWithPasskey(await readOptions(field), true)
    clearTimeout(timer)
    if (typeof signed === 'string' || !form.isConnected) continue
    field.value = JSON.stringify(signed)
    form.requestSubmit(form.querySelector<HTMLElement>('[type=submit]'))
  }
}

function showProblem(place: HTMLElement, problem: PasskeyProblem | null): void {
  for (const note of place.querySelectorAll<HTMLElement>('[data-problem]')) note.hidden = note.dataset.problem !== problem
}
