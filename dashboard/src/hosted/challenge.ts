/** A sign-in that waits: the time that is left for it, and the code that arrives by text message. */

/** What is left of the last minute is said once. */
const lastStep = 30
/** From here on, a screen reader says each change. */
const announcedBelow = 330

/** The server measures the time: the clock of this browser may be wrong. When it is over, the server leads back to the sign-in. */
export function showTimeLeft(place: HTMLElement): void {
  const end = performance.now() + Number(place.dataset.left) * 1000
  const write = (unit: 'minute' | 'second', count: number): void => {
    const format = new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit, unitDisplay: 'long' })
    const text = (place.dataset.text ?? '').replace('{time}', format.format(count))
    if (place.textContent !== text) place.textContent = text
  }
  const timer = setInterval(() => {
    const left = (end - performance.now()) / 1000
    if (!place.isConnected) return clearInterval(timer)
    if (left < announcedBelow) place.ariaLive = 'polite'
    if (left > lastStep) write('minute', Math.max(1, Math.floor(left / 60)))
    else write('second', lastStep)
    // A second later, because the server may have rounded.
    if (left > -1) return
    clearInterval(timer)
    location.reload()
  }, 1000)
}

/** Fills in the code of a text message whose last line names this site, and sends it (WebOTP). */
export function readTextMessage(field: HTMLInputElement): void {
  const { form } = field
  if (!form || !('OTPCredential' in window)) return
  const waiting = new AbortController()
  const stop = (): void => waiting.abort()
  form.addEventListener('submit', stop)
  addEventListener('pagehide', stop)
  const request = { otp: { transport: ['sms'] }, signal: waiting.signal } as CredentialRequestOptions
  navigator.credentials.get(request).then(
    (message) => {
      field.value = (message as (Credential & { readonly code?: string }) | null)?.code ?? ''
      if (field.value !== '') form.requestSubmit(form.querySelector<HTMLElement>('[type=submit]'))
    },
    // The user types the code.
    () => undefined,
  )
}
