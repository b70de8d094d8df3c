/**
 * The script of hosted pages: it sends forms without leaving the page, so that what is wrong appears at the field and what was typed
 * stays; it counts down waiting times, shows passwords and copies texts. Without it the pages work as plain documents.
 */
import './hosted.css'
import { hasNote } from '../browser/impersonation-note.ts'
import { storeZone } from '../browser/preferences.ts'
import { announceSignIn } from '../browser/sign-in-channel.ts'
import { announceUser } from '../browser/user-channel.ts'
import { startCaptcha } from './captcha.ts'
import { readTextMessage, showTimeLeft } from './challenge.ts'
import { rememberAccount, startAccount, startSteps } from './identifier.ts'
import { startPasskey } from './passkey.ts'
import { startTheme } from './theme-choice.ts'
import { watchUsername } from './username.ts'
import { validate } from './validation.ts'

const texts = (element: Element, name: string): string => (element as HTMLElement).dataset[name] ?? ''

/** What belongs to one document or to the content that replaced it. */
function start(root: ParentNode): void {
  for (const form of root.querySelectorAll('form')) startForm(form)
  startAccount(root, startSteps(root, startShown), carry)
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-show]')) startShow(button)
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-wait]')) startWait(button)
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) startCopy(button)
  for (const place of root.querySelectorAll<HTMLElement>('[data-left]')) showTimeLeft(place)
  for (const time of root.querySelectorAll('time')) time.textContent = localTime(time)
  for (const element of root.querySelectorAll('[data-signed-in]')) endWindow(element)
  if (root.querySelector('[data-account-deleted]')) rememberAccount('')
}

const localTime = ({ dateTime }: HTMLTimeElement): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(dateTime))

function endWindow(element: Element): void {
  announceSignIn(texts(element, 'signedIn') || undefined)
  // Only a window that a script has opened closes; elsewhere the browser would complain.
  if (element.hasAttribute('data-close')) close()
}

function startForm(form: HTMLFormElement): void {
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const button = event.submitter
    if (!button || form.ariaBusy === 'true' || button.ariaDisabled === 'true' || !validate(form)) return
    if (form.proceed) return form.proceed()
    setBusy(button, true)
    prepareAndSend(form, button).catch(() => {
      setBusy(button, false)
      showOffline(form)
    })
  })
  if (!form.closest('[data-second-step] [hidden], [data-second-step][hidden]')) startShown(form)
  startPasskey(form)
  for (const code of form.querySelectorAll<HTMLInputElement>('input[data-digits]')) sendWhenComplete(code)
  for (const code of form.querySelectorAll<HTMLInputElement>('input[data-sms]')) readTextMessage(code)
  const username = form.querySelector<HTMLInputElement>('[data-username] input')
  if (username) watchUsername(username)
  const email = form.querySelector<HTMLInputElement>('input[name=email]:not([type=hidden], [hidden])')
  const first = form.hasAttribute('data-first-step') ? form.querySelector<HTMLInputElement>('input[id]') : null
  for (const field of [email, first]) if (field) carryEmail(field)
}

/** Providers measure the place of a captcha, so that it must be on the page. */
function startShown(form: HTMLFormElement): void {
  if (!form.captcha) startCaptcha(form)
}

async function prepareAndSend(form: HTMLFormElement, button: HTMLElement): Promise<void> {
  const isReady = (await form.passkey?.sign()) ?? true
  await (isReady ? send(form, button) : setBusy(button, false))
}

/** A code is sent with its last digit; pasted ones may have blanks. */
function sendWhenComplete(code: HTMLInputElement): void {
  code.addEventListener('input', () => {
    if (code.value.replaceAll(/[\s-]/g, '').length === Number(code.dataset.digits))
      code.form?.requestSubmit(code.form.querySelector<HTMLElement>('[type=submit]'))
  })
}

const emailKey = 'latchkey.email'

/** What was typed on one page is on the next one too (WCAG 3.3.7), in this tab. */
function carryEmail(field: HTMLInputElement): void {
  field.value ||= sessionStorage.getItem(emailKey) ?? ''
  addEventListener('pagehide', () => carry(field.value))
}

const carry = (email: string): void => sessionStorage.setItem(emailKey, email)

function setBusy(button: HTMLElement, isBusy: boolean): void {
  for (const element of [button, button.closest('form')]) if (element) element.ariaBusy = isBusy ? 'true' : null
}

/** @throws Error without a connection, or when the response is not a page */
async function send(form: HTMLFormElement, submitter: HTMLElement): Promise<void> {
  const body = new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]))
  const captcha = await form.captcha?.read()
  const headers = { accept: 'text/html', 'x-latchkey-form': '1', ...(captcha && { 'x-captcha-response': captcha }) }
  const response = await fetch(form.action, { method: 'POST', headers, body })
  if (form.action.endsWith('/sign-out')) announceUser(null)
  const to = response.headers.get('x-latchkey-location')
  rememberAccount(response.headers.get('x-latchkey-account'))
  await form.passkey?.settle(to !== null)
  if (to === null) return replaceContent(await response.text())
  // Going back from the end of a journey does not lead to a form that was sent.
  if (response.headers.has('x-latchkey-end')) location.replace(to)
  else location.assign(to)
}

/** The same page, with what was wrong. */
function replaceContent(html: string): void {
  const next = new DOMParser().parseFromString(html, 'text/html')
  const [content, replaced] = [next.getElementById('content'), document.getElementById('content')]
  // Of a proxy, for example.
  if (!content || !replaced) throw new Error('The response is not a page')
  keepPasswords(replaced, content)
  const focused = document.activeElement?.getAttribute('name')
  replaced.replaceWith(content)
  start(content)
  const wrong = content.querySelector<HTMLElement>('[aria-invalid=true]')
  const same = focused ? content.querySelector<HTMLElement>(`input[name="${focused}"]`) : null
  const target = wrong ?? same ?? content
  target.focus()
}

/** The server never sends a password back. */
function keepPasswords(from: Element, to: Element): void {
  for (const typed of from.querySelectorAll<HTMLInputElement>('input[autocomplete$=password]')) {
    const field = to.querySelector<HTMLInputElement>(`input[name="${typed.name}"]`)
    if (field) field.value = typed.value
  }
}

function showOffline(form: HTMLFormElement): void {
  form.querySelector('[data-offline]')?.remove()
  const template = document.getElementById('offline')
  const note = template instanceof HTMLTemplateElement ? template.content.firstElementChild?.cloneNode(true) : null
  if (!(note instanceof HTMLElement)) return
  note.dataset.offline = ''
  form.prepend(note)
}

function startShow(button: HTMLButtonElement): void {
  const field = document.getElementById(texts(button, 'show'))
  if (!(field instanceof HTMLInputElement)) return
  const shown = { text: texts(button, 'hideText'), label: texts(button, 'hideLabel'), type: 'text' }
  const hidden = { text: button.textContent ?? '', label: button.ariaLabel ?? '', type: 'password' }
  button.hidden = false
  button.addEventListener('click', () => {
    const next = field.type === 'password' ? shown : hidden
    field.type = next.type
    button.textContent = next.text
    button.ariaLabel = next.label
  })
}

/** `1:05` for 65 seconds. */
const duration = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

function startWait(button: HTMLButtonElement): void {
  const [label, waitLabel] = [button.textContent ?? '', texts(button, 'waitLabel')]
  const end = performance.now() + Number(texts(button, 'wait')) * 1000
  const show = (): void => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
    button.ariaDisabled = left > 0 ? 'true' : null
    if (waitLabel !== '') button.textContent = left > 0 ? waitLabel.replace('{time}', duration(left)) : label
    if (left > 0) return
    clearInterval(timer)
    for (const note of document.querySelectorAll('[data-after-wait]')) note.textContent = texts(note, 'afterWait')
  }
  const timer = setInterval(show, 250)
  show()
}

function startCopy(button: HTMLButtonElement): void {
  button.addEventListener('click', () => {
    const said = (name: string) => button.setAttribute('title', texts(button, name))
    navigator.clipboard.writeText(texts(button, 'copy')).then(
      () => said('copied'),
      () => said('notCopied'),
    )
  })
}

/** An administrator acts as another user in this tab. */
function showImpersonation(): void {
  const template = document.getElementById('impersonation')
  if (hasNote() && template instanceof HTMLTemplateElement) document.getElementById('root')?.prepend(template.content)
}

start(document)
storeZone()
startTheme()
showImpersonation()
// A browser that shows the page again can send its form again.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
